package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Opens turns. The opening message is durable before it is written to the agent, so that after a
 * crash the next hub can write it, once.
 */
final class TurnOpener {
  private static final String CONTINUE =
      "Your process ended before the task was done and was started again in the same session."
          + " Go on with the task where you left off.";

  /** The first turn of an attempt. */
  private record First(TurnPurpose purpose, String prompt) {}

  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final Agent agent;
  private boolean unwritten;

  TurnOpener(AttemptContext context) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.agent = context.agent();
  }

  /** Whether the agent of this attempt still needs the task, or the prompt to continue it. */
  boolean isFirstTurnDue() {
    boolean none =
        unitOfWork
            .turn()
            .filter(record -> record.attempt() == unitOfWork.attemptNumber())
            .isEmpty();
    return none && first().isPresent();
  }

  void openFirstTurn(List<Steer> guidance, List<Steer> steers) {
    First first = first().orElseThrow();
    openTurn(first.purpose(), first.prompt(), guidance, steers);
  }

  /**
   * The task. When the session has it already, the prompt to continue a turn that was broken off.
   */
  private Optional<First> first() {
    if (unitOfWork.run().promptDue() || !unitOfWork.attempt().resumes()) {
      return Optional.of(new First(TurnPurpose.TASK, task()));
    }
    return unitOfWork
        .turn()
        .filter(record -> record.endedAt().isEmpty())
        .map(_ -> new First(TurnPurpose.CONTINUE, CONTINUE));
  }

  /** The prompt. It says so if the run was to continue a session that could not be resumed. */
  private String task() {
    RunSpec spec = unitOfWork.run().spec();
    boolean lostSession = spec.session().isPresent() && !unitOfWork.attempt().resumes();
    return spec.parent()
        .filter(_ -> lostSession)
        .map(parent -> RunSpec.promptWithoutSession(parent, spec.prompt()))
        .orElse(spec.prompt());
  }

  /** Commits the opening message of a turn, and then writes it. */
  void openTurn(TurnPurpose purpose, String prompt, List<Steer> guidance, List<Steer> steers) {
    Instant now = unitOfWork.now();
    int number = unitOfWork.openTurn(now);
    String message = SteerFrame.opening(guidance, prompt, steers);
    List<Steer> all = Stream.concat(guidance.stream(), steers.stream()).toList();
    List<SteerId> ids = all.stream().map(Steer::id).toList();
    unitOfWork.change(
        TurnRecord.opened(
            unitOfWork.run().id(), number, unitOfWork.attemptNumber(), purpose, message, ids, now));
    for (Steer steer : all) {
      SteerMode as =
          steer.mode() == SteerMode.STEER && number > 1 ? SteerMode.FOLLOW_UP : steer.mode();
      unitOfWork.change(
          steer, new SteerChange.OpenedTurn(unitOfWork.attemptNumber(), number, as, now));
    }
    unitOfWork.commit();
    state.openTurn(number);
    state.activity().restart(now);
    write();
  }

  /**
   * Writes the opening message that the ledger has. May be called again while the input of the
   * agent is full.
   */
  void write() {
    TurnRecord record = unitOfWork.turn().orElseThrow();
    unwritten = agent.prompt(record.number(), record.message()) == WriteResult.INPUT_FULL;
    if (unwritten) {
      return;
    }
    String evidence = "written as the opening of turn " + record.number();
    for (SteerId id : record.steers()) {
      unitOfWork
          .steer(id)
          .ifPresent(steer ->
              unitOfWork.change(
                  steer,
                  new SteerChange.Offered(
                      unitOfWork.attemptNumber(),
                      steer.deliveredMode().orElse(steer.mode()),
                      unitOfWork.now(),
                      evidence)));
    }
  }

  /** Whether the input of the agent was full when the opening message was to be written. */
  boolean isUnwritten() {
    return unwritten;
  }

  /**
   * After an attach and a read barrier: writes the opening message if the agent does not have it.
   */
  void rewriteIfNotTaken() {
    boolean opening = state.turn() instanceof TurnState.Opening;
    if (opening && unitOfWork.turn().filter(record -> !record.taken()).isPresent()) {
      write();
    }
  }

  boolean isOpenedWith(Steer steer) {
    return unitOfWork.turn().filter(record -> record.steers().contains(steer.id())).isPresent();
  }
}
