package dev.midcourse.ledger.json;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The JSON form of a run in the HTTP API, MCP and mailboxes. */
public record RunView(
    RunId runId,
    RunState state,
    AgentName agent,
    WorkerName worker,
    String dir,
    Author author,
    String prompt,
    int attempt,
    int turn,
    Optional<SessionId> sessionId,
    Optional<Progress> progress,
    Optional<String> needs,
    long steers,
    Usage spent,
    Instant createdAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<String> result,
    Optional<RunId> parentRunId,
    boolean stopAsked,
    Optional<Instant> notBefore,
    Optional<Integer> placeInQueue,
    Optional<Duration> linger,
    Optional<Instant> idleSince,
    Optional<Instant> idleUntil) {

  /** Without a place in the queue. */
  public static RunView of(Run run) {
    return of(run, Optional.empty());
  }

  /** With the number of runs that are queued before it. */
  public static RunView of(Run run, Optional<Integer> placeInQueue) {
    return new RunView(
        run.id(),
        run.state(),
        run.spec().agent(),
        run.spec().worker(),
        run.spec().workspace(),
        run.spec().author(),
        run.spec().prompt(),
        run.attempt(),
        run.turn(),
        run.session(),
        run.progress(),
        run.needs().map(Need::text),
        run.steers(),
        run.spent(),
        run.createdAt(),
        run.startedAt(),
        run.endedAt(),
        run.result(),
        run.spec().parent(),
        run.stopAsked(),
        run.notBefore(),
        placeInQueue,
        run.spec().linger(),
        run.idle().map(IdlePeriod::since),
        run.idle().map(IdlePeriod::until));
  }
}
