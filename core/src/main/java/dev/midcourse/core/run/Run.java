package dev.midcourse.core.run;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A task of one worker and its state. Only {@link RunTransitions} changes it.
 *
 * @param attempt the number of the newest attempt, the only one that counts; 0 before the first
 * @param failures the number of attempts in a row that were lost before they finished a turn
 * @param notBefore the earliest start of the next attempt, after a lost one
 * @param turn the number of the current or last turn; 0 before the first
 * @param lease the owner of the attempt
 * @param stopAsked a stop was asked for and has not been carried out yet
 * @param promptDue the prompt has not opened a turn yet
 * @param needs why a person should look at it
 * @param idle the agent waits for the next message; only while the run is running
 * @param idled the length of all earlier idle periods since the start
 */
public record Run(
    RunId id,
    RunSpec spec,
    RunState state,
    int attempt,
    int failures,
    Optional<Instant> notBefore,
    int turn,
    Optional<SessionId> session,
    Optional<Lease> lease,
    boolean stopAsked,
    boolean promptDue,
    Optional<Progress> progress,
    Optional<Need> needs,
    long steers,
    Usage spent,
    Instant createdAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<String> result,
    Optional<IdlePeriod> idle,
    Duration idled) {

  /** A run that is not idle and was not idle before. */
  public Run(
      RunId id,
      RunSpec spec,
      RunState state,
      int attempt,
      int failures,
      Optional<Instant> notBefore,
      int turn,
      Optional<SessionId> session,
      Optional<Lease> lease,
      boolean stopAsked,
      boolean promptDue,
      Optional<Progress> progress,
      Optional<Need> needs,
      long steers,
      Usage spent,
      Instant createdAt,
      Optional<Instant> startedAt,
      Optional<Instant> endedAt,
      Optional<String> result) {
    this(
        id,
        spec,
        state,
        attempt,
        failures,
        notBefore,
        turn,
        session,
        lease,
        stopAsked,
        promptDue,
        progress,
        needs,
        steers,
        spent,
        createdAt,
        startedAt,
        endedAt,
        result,
        Optional.empty(),
        Duration.ZERO);
  }

  /** A new run in the queue. */
  public static Run queued(RunId id, RunSpec spec, Instant now) {
    return new Run(
        id,
        spec,
        RunState.QUEUED,
        0,
        0,
        Optional.empty(),
        0,
        spec.session(),
        Optional.empty(),
        false,
        true,
        Optional.empty(),
        Optional.empty(),
        0,
        Usage.NOTHING,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
