package dev.midcourse.core.run;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything that can happen to a run. What an attempt causes carries its number; the word of an
 * attempt that is not the newest changes nothing.
 */
public sealed interface RunChange {
  Instant at();

  /** A hub takes the queued run and begins its next attempt. */
  record Picked(Lease lease, Instant at) implements RunChange {}

  /** The owner still lives, or the next hub of its host has taken over the attempt. */
  record LeaseKept(int attempt, Lease lease, Instant at) implements RunChange {}

  /** The agent's conversation has a name. */
  record SessionNamed(int attempt, SessionId session, Instant at) implements RunChange {}

  /** A turn was opened; turns are numbered through the whole run. */
  record TurnOpened(int attempt, Instant at) implements RunChange {}

  /** Worth storing: what the agent is doing. */
  record Progressed(int attempt, Progress progress, Instant at) implements RunChange {}

  /** The agent used something. */
  record Used(int attempt, Usage more, Instant at) implements RunChange {}

  /** Somebody should look at it; empty when that is over. */
  record Needs(int attempt, Optional<Need> what, Instant at) implements RunChange {}

  /** A turn was finished, so the attempt is not one of those that only die. */
  record TurnFinished(int attempt, Instant at) implements RunChange {}

  /** The attempt is over without an end of the run; it is tried again after the pause. */
  record AttemptLost(
      int attempt,
      Duration pause,
      boolean sessionLost,
      boolean promptLost,
      String reason,
      Instant at)
      implements RunChange {}

  /** The run is over. */
  record Finished(int attempt, RunOutcome outcome, Instant at) implements RunChange {}

  /** Somebody asked for the end of the run. */
  record StopAsked(Instant at) implements RunChange {}

  /** The same run once more, from a state that allows it. */
  record Restarted(RunSpec spec, boolean fresh, Instant at) implements RunChange {}

  /** The work was looked at and taken. */
  record ReviewAccepted(Instant at) implements RunChange {}
}
