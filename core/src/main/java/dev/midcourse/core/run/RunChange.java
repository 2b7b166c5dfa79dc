package dev.midcourse.core.run;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of a run. A change that an attempt causes carries the number of the attempt; it has no
 * effect if a newer attempt exists.
 */
public sealed interface RunChange {
  Instant at();

  /** A hub took the run from the queue and begins its next attempt. */
  record Picked(Lease lease, Instant at) implements RunChange {}

  /** The owner renewed its lease, or the next hub of its host took the attempt over. */
  record LeaseKept(int attempt, Lease lease, Instant at) implements RunChange {}

  /** The agent named its session. */
  record SessionNamed(int attempt, SessionId session, Instant at) implements RunChange {}

  /** A turn was opened. Turns are numbered through all attempts of a run. */
  record TurnOpened(int attempt, Instant at) implements RunChange {}

  /** The turn has ended, and the agent waits for the next message. The next turn ends this. */
  record WentIdle(int attempt, IdlePeriod period, Instant at) implements RunChange {}

  /** The agent made progress that is stored. */
  record Progressed(int attempt, Progress progress, Instant at) implements RunChange {}

  /** The agent reported usage. */
  record Used(int attempt, Usage more, Instant at) implements RunChange {}

  /** A person should look at the run; empty when that is over. */
  record Needs(int attempt, Optional<Need> what, Instant at) implements RunChange {}

  /** A person has seen that the run needs attention, and wants no more alarm about it. */
  record NeedDismissed(Instant at) implements RunChange {}

  /** The agent finished a turn. This resets the count of failures. */
  record TurnFinished(int attempt, Instant at) implements RunChange {}

  /** The attempt ended before the run did. The next attempt begins after the pause. */
  record AttemptLost(
      int attempt,
      Duration pause,
      boolean sessionLost,
      boolean promptLost,
      String reason,
      Instant at)
      implements RunChange {}

  /** The run ended. */
  record Finished(int attempt, RunOutcome outcome, Instant at) implements RunChange {}

  /** The end of the run was asked for. */
  record StopAsked(Instant at) implements RunChange {}

  /** The run starts again, from a state that allows it. */
  record Restarted(RunSpec spec, boolean fresh, Instant at) implements RunChange {}

  /** A reviewer accepted the work. */
  record ReviewAccepted(Instant at) implements RunChange {}
}
