package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.engine.context.EngineSettings;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an agent still holds when its turn has ended. It opens the next turn with it or gives it
 * back, and has some time to do so; but an agent that is only slow must not be taken for one that
 * does neither, since what is written to it then would overtake what it holds.
 */
final class UnsettledSteers {
  private final AttemptUnitOfWork unitOfWork;
  private final AgentEventHandler eventHandler;
  private final EngineSettings settings;
  private final ReadBarrier proof;
  private Optional<Instant> until = Optional.empty();

  UnsettledSteers(
      AttemptUnitOfWork unitOfWork,
      AgentEventHandler eventHandler,
      Agent agent,
      EngineSettings settings) {
    this.unitOfWork = unitOfWork;
    this.eventHandler = eventHandler;
    this.settings = settings;
    this.proof = new ReadBarrier("settle", unitOfWork, eventHandler, agent);
  }

  boolean something() {
    return !unitOfWork.inTransit().isEmpty();
  }

  /** The agent is at work, or holds nothing: when it next settles it has all its time again. */
  void notWaitedFor() {
    until = Optional.empty();
    proof.forget();
  }

  /** Whether it is of no use to wait any longer. */
  boolean hopeless() {
    if (nothingMoreIsSaid()) {
      return true;
    }
    if (until.isEmpty()) {
      until = Optional.of(unitOfWork.now().plus(settings.settle()));
    }
    return !unitOfWork.now().isBefore(until.get()) && allIsHeard();
  }

  /** It is ours again, unless the agent might then have it twice. */
  void giveUp() {
    notWaitedFor();
    boolean safe = eventHandler.can().has(Capability.IGNORES_REPEATED_ID);
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

  /** When to look again although nothing happened. */
  Stream<Instant> wakeAt() {
    return proof.asked() ? proof.askAgainAt().stream() : until.stream();
  }

  /** Of what it has accepted this agent will never say that it took it in. */
  private boolean nothingMoreIsSaid() {
    return !eventHandler.can().has(Capability.INJECTED_EVIDENCE)
        && unitOfWork.inTransit().stream().allMatch(steer -> steer.reached(Rung.ACCEPTED));
  }

  /** An agent that cannot prove it has had its time. */
  private boolean allIsHeard() {
    if (!proof.asked()) {
      proof.ask();
    }
    return !proof.outstanding();
  }
}
