package dev.midcourse.core.steer;

import dev.midcourse.core.id.SteerId;
import java.time.Instant;

/**
 * Everything that can happen to a stored steer. What an agent's word causes carries the number of
 * the attempt that spoke, so that a late word of an earlier attempt changes nothing. What only we
 * decide (withdrawn, superseded, edited) needs a steer that nobody holds: an agent that has it is
 * asked for it first, and {@link Returned} comes before the rest.
 */
public sealed interface SteerChange {
  Instant at();

  /** About to be written to an agent that gives no evidence: from now on it may have it. */
  record Handed(int attempt, SteerMode as, Instant at) implements SteerChange {}

  /** Written to the agent of this attempt, as this mode. */
  record Offered(int attempt, SteerMode as, Instant at, String evidence) implements SteerChange {}

  /** The running turn was told to break off for it; it opens what follows. */
  record TurnBrokenOff(int attempt, Instant at) implements SteerChange {}

  /** Put into the opening message of a turn of this attempt, because that is its boundary. */
  record OpenedTurn(int attempt, int turn, SteerMode as, Instant at) implements SteerChange {}

  /** The agent says that it holds it. */
  record Accepted(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The agent shows it in the conversation. */
  record Injected(int attempt, Instant at, String evidence) implements SteerChange {}

  /** It was in a model request, seen at the model's door. */
  record Seen(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The turn that had it has ended. */
  record Answered(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The agent no longer holds it and never showed it: it waits in the ledger again. */
  record Returned(int attempt, Instant at, String reason) implements SteerChange {}

  /** A later attempt resumed the session that has it in its conversation. */
  record Kept(int attempt, Instant at, String evidence) implements SteerChange {}

  /** The conversation that had it is gone: it waits in the ledger again. */
  record Forgotten(int attempt, Instant at, String reason) implements SteerChange {}

  /** The agent would not take it. */
  record Refused(int attempt, Instant at, String reason) implements SteerChange {}

  /** The agent died with it and left no trace. */
  record LostTrack(int attempt, Instant at, String reason) implements SteerChange {}

  /** The author took it back. */
  record Withdrawn(Instant at, String reason) implements SteerChange {}

  /** A newer steer replaced it. */
  record Superseded(SteerId by, Instant at) implements SteerChange {}

  /** Its time ran out, or its run ended without it; unknown if an agent had it without a trace. */
  record Expired(Instant at, String reason) implements SteerChange {}

  /** What a stop asked for was done. */
  record CarriedOut(Instant at, String evidence) implements SteerChange {}

  /** The author changed the text while it was pending. */
  record Edited(SteerText text, Instant at) implements SteerChange {}

  /** A pending follow-up or guidance becomes a steer for now. */
  record Promoted(Instant at) implements SteerChange {}
}
