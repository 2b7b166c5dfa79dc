package dev.midcourse.engine.queue;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.Run;
import dev.midcourse.ledger.LedgerReader;
import java.util.Optional;

/**
 * The rule that one run at a time uses a session of an agent. {@link RunQueue} also keeps a queued
 * run waiting while a process of an ended run may use its session.
 */
public final class SessionRule {
  private SessionRule() {}

  /** Part of the transaction that queues a run: refuses it if a live run has its session. */
  public static void refuseIfInUse(
      LedgerReader reading, RunId asking, AgentName agent, Optional<SessionId> session) {
    session
        .flatMap(its -> user(reading, asking, agent, its))
        .ifPresent(user -> {
          throw Problem.of(
                  Code.DUPLICATE,
                  "session_id",
                  "a session that no live run uses",
                  "run %s uses the session and is %s; steer it, or wait for its end"
                      .formatted(user.id(), user.state().wire()))
              .refused();
        });
  }

  private static Optional<Run> user(
      LedgerReader reading, RunId asking, AgentName agent, SessionId session) {
    return reading.liveRunsOf(agent, session).stream()
        .filter(run -> !run.id().equals(asking))
        .findFirst();
  }
}
