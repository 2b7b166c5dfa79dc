package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.attempt.BoundedCommitter;
import dev.midcourse.engine.attempt.SupervisorMessage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Carries out the commands of authors on stored steers: withdraw, edit, promote. A steer that the
 * agent holds is withdrawn only when the agent gives it back, and the author gets the answer of the
 * agent.
 */
final class SteerCommandHandler {
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final Agent agent;
  private final BoundedCommitter committer;

  /** The commands that wait until it is known which steers the agent has. */
  private final Deque<SupervisorMessage.ChangeSteer> waiting = new ArrayDeque<>();

  /** The withdrawals that the agent has not answered yet. */
  private final Map<SteerId, SupervisorMessage.ChangeSteer> withdrawals = new HashMap<>();

  private final Map<SteerId, Steer> replacements = new HashMap<>();

  SteerCommandHandler(AttemptContext context) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.agent = context.agent();
    this.committer = context.committer();
  }

  void add(SupervisorMessage.ChangeSteer command) {
    waiting.add(command);
  }

  /** Carries out all waiting commands. A command leaves the queue only when it has an outcome. */
  void handleAll() {
    while (!waiting.isEmpty()) {
      handle(waiting.element());
      waiting.remove();
    }
  }

  /** Asks the agent, once, to give back a steer that a newer one is to replace. */
  void requestReturn(Steer older, Steer newer) {
    if (replacements.putIfAbsent(older.id(), newer) == null) {
      agent.withdraw(older.id());
    }
  }

  /**
   * The steer that is to replace this one. An earlier hub may have asked for it and died; then the
   * ledger knows, also when the newer steer has ended since.
   */
  private Optional<Steer> replacementOf(Steer older) {
    return Optional.ofNullable(replacements.get(older.id()))
        .or(() -> unitOfWork.replacementOf(older));
  }

  private void handle(SupervisorMessage.ChangeSteer command) {
    Optional<Steer> found = unitOfWork.steer(command.steer());
    if (found.isEmpty()) {
      command
          .answer()
          .completeExceptionally(
              Problem.of(
                      Code.TOO_LATE,
                      "steer_id",
                      "an open steer",
                      "steer " + command.steer().shortened() + " has ended")
                  .refused());
      return;
    }
    Steer steer = found.get();
    Instant now = unitOfWork.now();
    boolean withdrawal = command.command() instanceof SupervisorMessage.SteerCommand.Withdraw;
    if (withdrawal && steer.inTransit() && state.can().has(Capability.WITHDRAW)) {
      withdrawals.put(steer.id(), command);
      agent.withdraw(steer.id());
      return;
    }
    if (withdrawal && steer.inTransit()) {
      command.answer().completeExceptionally(heldByAgent(steer).refused());
      return;
    }
    if (command.command() instanceof SupervisorMessage.SteerCommand.Promote
        && mayNotDegrade(steer)) {
      command.answer().completeExceptionally(cannotSteer().refused());
      return;
    }
    answer(command, unitOfWork.change(steer, command.command().change(now)));
  }

  /**
   * Commits before it answers. The next step may write the edited steer, or the one after a
   * withdrawn steer, and a crash must not undo the command then.
   */
  private void answer(SupervisorMessage.ChangeSteer command, Transition<Steer> outcome) {
    unitOfWork.commit();
    answerWhenDurable(command.answer(), outcome);
  }

  private void answerWhenDurable(CompletableFuture<Steer> answer, Transition<Steer> outcome) {
    switch (outcome) {
      case Transition.Changed(Steer steer) ->
          committer.commit(
              unitOfWork,
              failure ->
                  failure.ifPresentOrElse(
                      answer::completeExceptionally, () -> answer.complete(steer)));
      case Transition.Rejected(var problem) -> answer.completeExceptionally(problem.refused());
      case Transition.Stale(String why) ->
          answer.completeExceptionally(new IllegalStateException(why));
    }
  }

  private boolean mayNotDegrade(Steer steer) {
    return steer.onUnsupported() == OnUnsupported.FAIL
        && !SteerIntake.supported(SteerMode.STEER, state.can());
  }

  private static Problem cannotSteer() {
    return Problem.of(
        Code.UNSUPPORTED,
        "steer_id",
        "an agent that takes steers in a turn",
        "the agent takes no steers in a turn, and on_unsupported is fail");
  }

  private static Problem tooLate(SteerId steer) {
    return Problem.of(
        Code.TOO_LATE,
        "steer_id",
        "a steer that is not in the session",
        "too late: steer " + steer.shortened() + " is in the session");
  }

  private static Problem heldByAgent(Steer steer) {
    return Problem.of(
        Code.TOO_LATE,
        "steer_id",
        "a steer the agent does not have yet",
        "the agent has steer " + steer.id().shortened() + " already and cannot return it");
  }

  /**
   * Withdraws steers that the agent returned before it read the request to give them back. They are
   * pending again, and would else be written a second time. A withdrawal is dropped only after its
   * commit, so that it is among {@link #unanswered} when the commit fails.
   */
  private void withdrawReturned() {
    for (SteerId id : List.copyOf(withdrawals.keySet())) {
      unitOfWork
          .steer(id)
          .filter(Steer::pending)
          .ifPresent(steer -> {
            String reason = "withdrawn; the agent had not taken it";
            answer(
                Objects.requireNonNull(withdrawals.get(id)),
                unitOfWork.change(steer, new SteerChange.Withdrawn(unitOfWork.now(), reason)));
            withdrawals.remove(id);
          });
    }
  }

  /** All commands without an answer: first those that the agent has not answered. */
  List<SupervisorMessage.ChangeSteer> unanswered() {
    return Stream.concat(withdrawals.values().stream(), waiting.stream()).toList();
  }

  /** Ends the steers that the agent has answered for, and answers their authors. */
  void settleWithdrawals() {
    withdrawReturned();
    for (AgentEvent.SteerGivenBack answer : state.drainWithdrawalAnswers()) {
      settle(answer, Optional.ofNullable(withdrawals.get(answer.steer())));
      withdrawals.remove(answer.steer());
    }
  }

  private void settle(
      AgentEvent.SteerGivenBack answer, Optional<SupervisorMessage.ChangeSteer> command) {
    Optional<Steer> steer = unitOfWork.steer(answer.steer());
    Optional<CompletableFuture<Steer>> author = command.map(SupervisorMessage.ChangeSteer::answer);
    if (steer.isEmpty() || !answer.givenBack()) {
      author.ifPresent(asked -> asked.completeExceptionally(tooLate(answer.steer()).refused()));
      return;
    }
    Optional<Steer> newer = author.isPresent() ? Optional.empty() : replacementOf(steer.get());
    SteerChange change =
        newer.isPresent()
            ? new SteerChange.Superseded(newer.get().id(), unitOfWork.now())
            : new SteerChange.Withdrawn(unitOfWork.now(), "withdrawn; the agent returned it");
    unitOfWork.change(
        steer.get(),
        new SteerChange.Returned(
            unitOfWork.attemptNumber(), unitOfWork.now(), "the agent returned it"));
    Transition<Steer> outcome = unitOfWork.change(steer.get(), change);
    author.ifPresent(asked -> answerWhenDurable(asked, outcome));
  }
}
