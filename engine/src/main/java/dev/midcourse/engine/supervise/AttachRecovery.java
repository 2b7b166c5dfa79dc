package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.engine.attempt.AttemptContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings a supervisor up to date with an agent that an earlier hub has started. The earlier hub may
 * have written a message and died before the ledger had it. So the recovery first waits for a read
 * barrier, and then writes again what the agent lacks.
 */
final class AttachRecovery {
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  private final AttemptContext context;
  private final TurnOpener turnOpener;
  private final ReadBarrier barrier;
  private boolean done;
  private Optional<Instant> retryAt = Optional.empty();

  /**
   * @param attached false for an attempt that this hub begins: it has nothing to recover
   */
  AttachRecovery(AttemptContext context, TurnOpener turnOpener, boolean attached) {
    this.context = context;
    this.turnOpener = turnOpener;
    this.barrier = new ReadBarrier("attach", context);
    if (attached && context.state().started()) {
      barrier.send();
    }
    this.done = !barrier.isSent();
  }

  /** Takes the next step that is possible. True when the agent has everything that was written. */
  boolean advance() {
    if (!done && !barrier.isOutstanding()) {
      done = writeAgain();
    }
    return done;
  }

  boolean isDone() {
    return done;
  }

  /** When the next step is due. */
  Stream<Instant> wakeAt() {
    return Stream.of(barrier.resendAt(), retryAt).flatMap(Optional::stream);
  }

  /** False when the agent did not read all of it. */
  private boolean writeAgain() {
    retryAt = Optional.empty();
    turnOpener.rewriteIfNotTaken();
    for (Steer steer : context.unitOfWork().openSteers()) {
      if (steer.inTransit()
          && context.state().can().has(Capability.IGNORES_REPEATED_ID)
          && !turnOpener.isOpenedWith(steer)
          && context.agent().steer(steer.id(), SteerFrame.of(steer, steer.mode()))
              == WriteResult.INPUT_FULL) {
        retryAt = Optional.of(context.unitOfWork().now().plus(RETRY_DELAY));
        return false;
      }
    }
    return true;
  }
}
