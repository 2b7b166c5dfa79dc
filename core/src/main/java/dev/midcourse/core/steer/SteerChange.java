package dev.midcourse.core.steer;

import dev.midcourse.core.id.SteerId;
import java.time.Instant;

/**
 * A change of a stored steer. A change that an agent causes carries the number of its attempt, so
 * that a late message of an earlier attempt has no effect. A change that the hub decides alone
 * (withdrawn, superseded, edited) needs a steer that no agent holds: an agent that holds it is
 * asked to give it back, and {@link Returned} comes first.
 */
public sealed interface SteerChange {
  Instant at();

  /**
   * It is about to be written to an agent that gives no evidence. The agent may have it from now
   * on.
   */
  record Handed(int attempt, SteerMode as, Instant at) implements SteerChange {}

  /** It was written to the agent of this attempt in this mode. */
  record Offered(int attempt, SteerMode as, Instant at, String evidence) implements SteerChange {}

  /** The running turn was interrupted for it. It opens the next turn. */
  record TurnBrokenOff(int attempt, Instant at) implements SteerChange {}

  /** It is part of the opening message of a turn of this attempt. */
  record OpenedTurn(int attempt, int turn, SteerMode as, Instant at) implements SteerChange {}

  /** The agent says that it holds the steer. */
  record Accepted(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The agent shows the steer in the conversation. */
  record Injected(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The steer was in a request to the model. */
  record Seen(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The turn that contained it has ended. */
  record Answered(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The agent no longer holds it and did not show it. It waits in the ledger again. */
  record Returned(int attempt, Instant at, String reason) implements SteerChange {}

  /** A later attempt resumed the session whose conversation contains it. */
  record Kept(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The conversation that contained it is lost. It waits in the ledger again. */
  record Forgotten(int attempt, Instant at, String reason) implements SteerChange {}

  /** The agent refused it. */
  record Refused(int attempt, Instant at, String reason) implements SteerChange {}

  /** The agent died while it held the steer and left no evidence. */
  record LostTrack(int attempt, Instant at, String reason) implements SteerChange {}

  /** The author withdrew it. */
  record Withdrawn(Instant at, String reason) implements SteerChange {}

  /** A newer steer replaced it. */
  record Superseded(SteerId by, Instant at) implements SteerChange {}

  /** Its time ran out or its run ended. The end is unknown if an agent held it without evidence. */
  record Expired(Instant at, String reason) implements SteerChange {}

  /** The run that a stop asked to end has ended. */
  record CarriedOut(Instant at, String evidence) implements SteerChange {}

  /** The author changed the text while the steer was pending. */
  record Edited(SteerText text, Instant at) implements SteerChange {}

  /** A pending follow-up or guidance becomes a steer of the running turn. */
  record Promoted(Instant at) implements SteerChange {}
}
