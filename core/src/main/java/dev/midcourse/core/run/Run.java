package dev.midcourse.core.run;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Instant;
import java.util.Optional;

/**
 * One task given to one worker, and where it stands. Changed only by {@link RunTransitions}.
 *
 * @param attempt the number of the newest attempt, which alone has a say; 0 before the first
 * @param failures how many attempts in a row died without finishing a turn
 * @param notBefore when the next attempt may begin, after a failed one
 * @param turn the number of the turn that runs or ran last
 * @param lease who owns the attempt
 * @param stopAsked a stop was asked for and has not been carried out yet
 * @param promptDue the spec's prompt has not opened a turn yet
 * @param needs why a person should look at it
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
    Optional<String> result) {

  /** A new run, waiting for its worker. */
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
