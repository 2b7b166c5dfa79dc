package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteeringPlan;
import dev.midcourse.core.steer.SteeringPlan.SteerAction;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Delivers steers to the agent: makes the moves of the {@link SteeringPlan}, in its order. */
final class SteerDelivery {
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final Agent agent;
  private final Duration interruptTimeout;
  private final TurnOpener turnOpener;
  private final SteerCommandHandler commandHandler;
  private Optional<Instant> interruptDeadline = Optional.empty();

  SteerDelivery(AttemptContext context, TurnOpener turnOpener, SteerCommandHandler commandHandler) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.agent = context.agent();
    this.interruptTimeout = context.settings().settle();
    this.turnOpener = turnOpener;
    this.commandHandler = commandHandler;
  }

  /**
   * Opens the first turn of the attempt with the task, and with the steers that came before it. A
   * follow-up waits until the task is done.
   */
  void openFirstTurn() {
    List<Steer> now =
        unitOfWork.openSteers().stream().filter(s -> s.mode() != SteerMode.FOLLOW_UP).toList();
    boolean opened = false;
    for (SteerAction move : plan(now).moves()) {
      if (move instanceof SteerAction.OpenTurn(List<Steer> guidance, List<Steer> steers)) {
        turnOpener.openFirstTurn(guidance, steers);
        opened = true;
      } else {
        make(move);
      }
    }
    if (!opened) {
      turnOpener.openFirstTurn(
          now.stream().filter(s -> s.pending() && s.mode() == SteerMode.NEXT).toList(), List.of());
    }
  }

  /**
   * Makes the moves that are due. Stops at the first one that the agent did not read, so that later
   * moves cannot overtake it, and returns false.
   */
  boolean deliver() {
    for (SteerAction move : plan(unitOfWork.openSteers()).moves()) {
      if (!make(move)) {
        return false;
      }
    }
    return true;
  }

  /** When the plan may have other moves although no event has come. */
  Optional<Instant> planChangesAt() {
    return plan(unitOfWork.openSteers()).lookAgainAt();
  }

  /** Whether the agent was told to break its turn off and did not do so in time. */
  boolean isInterruptOverdue() {
    if (!(state.turn() instanceof TurnState.Interrupting)) {
      interruptDeadline = Optional.empty();
    }
    return interruptDeadline.filter(deadline -> !unitOfWork.now().isBefore(deadline)).isPresent();
  }

  Optional<Instant> interruptDeadline() {
    return interruptDeadline;
  }

  private SteeringPlan plan(List<Steer> steers) {
    return new SteeringPlan(
        steers, state.turn(), state.can(), unitOfWork.run().spec().pending(), unitOfWork.now());
  }

  /** False when the agent did not read. */
  private boolean make(SteerAction move) {
    Instant now = unitOfWork.now();
    switch (move) {
      case SteerAction.Offer(Steer steer) -> {
        return offer(steer);
      }
      case SteerAction.Interrupt(Steer cause) -> {
        return interrupt(cause);
      }
      case SteerAction.OpenTurn(var guidance, var steers) ->
          turnOpener.openTurn(TurnPurpose.STEERS, "", guidance, steers);
      case SteerAction.Supersede(Steer older, Steer newer) -> {
        unitOfWork.change(older, new SteerChange.Superseded(newer.id(), now));
        unitOfWork.commit(); // else a crash could bring it back behind the newer one
      }
      case SteerAction.TakeBack(Steer older, Steer newer) ->
          commandHandler.requestReturn(older, newer);
      case SteerAction.Expire(Steer steer, String reason) ->
          unitOfWork.change(steer, new SteerChange.Expired(now, reason));
    }
    return true;
  }

  private boolean interrupt(Steer cause) {
    if (agent.interrupt() != WriteResult.WRITTEN) {
      return false;
    }
    Instant now = unitOfWork.now();
    int turn = unitOfWork.run().turn();
    unitOfWork.change(cause, new SteerChange.TurnBrokenOff(unitOfWork.attemptNumber(), now));
    unitOfWork.append(
        new RunEvent.Interrupting(unitOfWork.attemptNumber(), turn, Optional.of(cause.id())));
    state.interruptTurn(turn);
    interruptDeadline = Optional.of(now.plus(interruptTimeout));
    return true;
  }

  private boolean offer(Steer steer) {
    int attempt = unitOfWork.attemptNumber();
    if (!state.can().has(Capability.ACCEPTED_EVIDENCE) || !state.can().has(Capability.BARRIER)) {
      // After a crash there would be no evidence whether the agent has the steer. The ledger
      // records
      // first that it may have it, so that the steer ends as unknown and is never sent twice.
      unitOfWork.change(steer, new SteerChange.Handed(attempt, steer.mode(), unitOfWork.now()));
      unitOfWork.commit();
    }
    WriteResult sent = agent.steer(steer.id(), SteerFrame.of(steer, steer.mode()));
    Instant now = unitOfWork.now();
    switch (sent) {
      case WRITTEN ->
          unitOfWork.change(
              steer,
              new SteerChange.Offered(attempt, steer.mode(), now, "written to the agent's input"));
      case UNSUPPORTED ->
          unitOfWork.change(
              steer, new SteerChange.Refused(attempt, now, "the agent takes no steers in a turn"));
      case INPUT_FULL, EXITED ->
          unitOfWork.change(
              steer, new SteerChange.Returned(attempt, now, "the agent does not read"));
    }
    return sent == WriteResult.WRITTEN || sent == WriteResult.UNSUPPORTED;
  }
}
