package dev.midcourse.engine.supervise;

import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.context.EngineSettings;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The steers that the agent has accepted but not shown when its turn ended. The agent may open the
 * next turn with them or give them back. The supervisor waits up to {@code settle}, and then for a
 * read barrier, before it gives them up, so that later steers cannot overtake them.
 */
final class UnsettledSteers {
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final EngineSettings settings;
  private final ReadBarrier barrier;
  private Optional<Instant> deadline = Optional.empty();

  UnsettledSteers(AttemptContext context) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.settings = context.settings();
    this.barrier = new ReadBarrier("settle", context);
  }

  boolean isEmpty() {
    return unitOfWork.inTransit().isEmpty();
  }

  /** Ends the wait: the agent works, or holds no steer. The next wait begins from the start. */
  void reset() {
    deadline = Optional.empty();
    barrier.reset();
  }

  /** Whether the wait is over. The first call begins the wait. */
  boolean isOverdue() {
    if (hasNoMoreEvidence()) {
      return true;
    }
    if (deadline.isEmpty()) {
      deadline = Optional.of(unitOfWork.now().plus(settings.settle()));
    }
    return !unitOfWork.now().isBefore(deadline.get()) && hasPassedBarrier();
  }

  /** Makes the steers pending again, unless the agent might then have one twice. */
  void giveUp() {
    reset();
    boolean safe = state.can().has(Capability.IGNORES_REPEATED_ID);
    Instant now = unitOfWork.now();
    for (Steer steer : unitOfWork.inTransit()) {
      String why = "the agent kept it past the end of its turn without showing it";
      unitOfWork.change(
          steer,
          safe
              ? new SteerChange.Returned(unitOfWork.attemptNumber(), now, why)
              : new SteerChange.LostTrack(unitOfWork.attemptNumber(), now, why));
    }
  }

  /** When the next step of the wait is due. */
  Stream<Instant> wakeAt() {
    return barrier.isSent() ? barrier.resendAt().stream() : deadline.stream();
  }

  /** The agent has accepted all of them and never reports that it has shown a steer. */
  private boolean hasNoMoreEvidence() {
    return !state.can().has(Capability.INJECTED_EVIDENCE)
        && unitOfWork.inTransit().stream().allMatch(steer -> steer.reached(Rung.ACCEPTED));
  }

  /** For an agent without barriers the time alone decides. */
  private boolean hasPassedBarrier() {
    if (!barrier.isSent()) {
      barrier.send();
    }
    return !barrier.isOutstanding();
  }
}
