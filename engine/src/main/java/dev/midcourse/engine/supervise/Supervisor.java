package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.RunState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork.FencedException;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.queue.RunQueue;
import dev.midcourse.engine.queue.RunTermination;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Owns one run while an agent works on it, on a thread of its own. Claims the run and starts its
 * agent, or attaches to an agent that is running already, and ends with the attempt. When the
 * ledger fails, the supervisor keeps no state of its own: it reads everything anew, as after a
 * crash.
 */
public final class Supervisor implements Runnable {
  private static final Logger LOG = System.getLogger(Supervisor.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofMillis(250);
  private static final int MAX_FAILURES = 5;

  private final RunId id;
  private final EngineContext context;
  private final SupervisorMailbox mailbox = new SupervisorMailbox();
  private final AttemptFactory attempts;

  /**
   * @param onIdle called when the agent has begun to wait for the next message
   */
  public Supervisor(RunId id, EngineContext context, Runnable onIdle) {
    this.id = id;
    this.context = context;
    this.attempts = new AttemptFactory(context, mailbox, onIdle);
  }

  public SupervisorMailbox mailbox() {
    return mailbox;
  }

  @Override
  public void run() {
    try {
      boolean attach = false;
      int failures = 0;
      while (true) {
        try {
          attach = attach || alreadyRunning();
          if (!attendOnce(attach)) {
            return;
          }
          failures = 0;
        } catch (FencedException e) {
          LOG.log(
              Level.INFO,
              "Supervisor of run {0} ends: the run belongs to another attempt or host ({1}).",
              id,
              e.getMessage());
          return;
        } catch (RefusedException e) {
          LOG.log(
              Level.WARNING,
              "The ledger failed for run {0} ({1}). Its supervisor reads the run again in {2} ms;"
                  + " the agent works on.",
              id,
              e.getMessage(),
              RETRY_DELAY.toMillis());
        } catch (RuntimeException e) {
          LOG.log(
              Level.ERROR,
              "Attending run %s failed. After %d failures in a row its agent is ended and the run fails."
                  .formatted(id, MAX_FAILURES),
              e);
          if (++failures == MAX_FAILURES) {
            giveUp(e);
            return;
          }
        }
        attach = true;
        Thread.sleep(RETRY_DELAY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean alreadyRunning() {
    return context
        .ledger()
        .read(reading -> reading.run(id))
        .filter(run -> run.state() == RunState.RUNNING)
        .isPresent();
  }

  /** True when the ledger failed, and the attempt has to be read and attended anew. */
  private boolean attendOnce(boolean attach) throws InterruptedException {
    Optional<AttemptLoop> loop =
        attach ? load().map(attempts::attach) : claim().map(attempts::start);
    if (loop.isEmpty()) {
      return false;
    }
    return switch (loop.get().run()) {
      case FINISHED, DETACHED -> false;
      case RELOAD -> true;
    };
  }

  /** Ends the agent and fails the run, so that a run that cannot be attended does not hang. */
  private void giveUp(RuntimeException why) {
    Optional<AttemptSnapshot> snapshot = load();
    if (snapshot.isEmpty()) {
      return;
    }
    Agent agent = attempts.attachAgent(snapshot.get());
    agent.end(context.settings().grace());
    agent.detach();
    String reason = "the hub could not supervise it: " + why;
    context
        .ledger()
        .write(tx -> {
          Instant now = context.clock().instant();
          tx.put(snapshot.get().attempt().ended(now, reason));
          return RunTermination.failed(tx, snapshot.get().run(), reason, now);
        });
  }

  private Optional<AttemptSnapshot> claim() {
    return new RunQueue(context).claim(id).flatMap(_ -> load());
  }

  private Optional<AttemptSnapshot> load() {
    return context.ledger().read(reading -> AttemptSnapshot.read(reading, id));
  }
}
