package dev.midcourse.engine.supervise;

import dev.midcourse.agents.git.Checkout;
import dev.midcourse.agents.git.PrivateRepository;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.Completion;
import dev.midcourse.core.contract.CompletionBlocks;
import dev.midcourse.core.contract.CompletionReader;
import dev.midcourse.core.contract.CompletionVerifier;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.contract.Validated;
import dev.midcourse.core.contract.WorkerPrompts;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.checkout.RepairHint;
import dev.midcourse.engine.checkout.StoredDispatch;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks the completion of a dispatched run against its dispatch and its checkout. After the first
 * completion that fails the check, the worker gets one repair turn. After the second, the run has
 * failed its contract. A run without a dispatch needs no completion.
 */
final class CompletionCheck {
  private final AttemptUnitOfWork unitOfWork;
  private final Ledger ledger;
  private final Optional<Dispatch> dispatch;
  private Optional<Judgement> last = Optional.empty();

  /** The result of the check of one turn. */
  private record Judgement(int turn, Optional<Completion> completion, List<Problem> problems) {}

  CompletionCheck(AttemptUnitOfWork unitOfWork, Ledger ledger) {
    this.unitOfWork = unitOfWork;
    this.ledger = ledger;
    this.dispatch = StoredDispatch.of(unitOfWork.run().spec());
  }

  /**
   * The prompt of the repair turn, if the settled turn failed the check and no repair was tried.
   */
  Optional<String> repair() {
    Optional<Judgement> judged = judgement();
    if (judged.isEmpty() || judged.get().problems().isEmpty() || hasHadRepair()) {
      return Optional.empty();
    }
    List<Problem> problems = judged.get().problems();
    unitOfWork.append(
        new RunEvent.CompletionRejected(unitOfWork.attemptNumber(), describe(problems), false));
    return Optional.of(WorkerPrompts.repair(dispatch.orElseThrow(), problems));
  }

  /**
   * Takes over the commits of an agent in a sandbox. Returns why they cannot be taken over, or
   * which git file of a checkout was tampered with. A run without a checkout of its own works in a
   * folder of the user, so its git files count only if a sandbox has replaced them.
   */
  Optional<String> tampering() {
    Path workspace = Path.of(unitOfWork.run().spec().workspace());
    try {
      if (dispatch.filter(asked -> !asked.noCode()).isPresent()) {
        new Checkout(workspace).check();
      } else {
        PrivateRepository.importCommitsOf(workspace);
      }
      return Optional.empty();
    } catch (RefusedException refused) {
      return Optional.of(RepairHint.naming(unitOfWork.run().id(), refused).description());
    }
  }

  /**
   * Returns a sentence for each repository that an agent in a sandbox has put at the place of a
   * submodule.
   */
  List<String> foreignSubmodules() {
    try {
      return PrivateRepository.foreignSubmodulesOf(Path.of(unitOfWork.run().spec().workspace()));
    } catch (RefusedException refused) {
      return List.of(RepairHint.naming(unitOfWork.run().id(), refused).description());
    }
  }

  /** Whether the run still has its repair turn. */
  boolean isRepairDue() {
    return judgement().filter(judgement -> !judgement.problems().isEmpty()).isPresent()
        && !hasHadRepair();
  }

  /** How a run ends after a turn that completed with this answer. */
  RunOutcome outcome(String answer) {
    Optional<Judgement> judged = judgement();
    if (judged.isEmpty()) {
      return new RunOutcome(RunState.DONE, answer);
    }
    List<Problem> problems = judged.get().problems();
    return problems.isEmpty()
        ? new RunOutcome(RunState.REVIEW_REQUESTED, answer)
        : new RunOutcome(
            RunState.FAILED_CONTRACT,
            "the completion is invalid: " + String.join("; ", describe(problems)));
  }

  /**
   * Appends the result for the last turn, in the transaction that ends the run. A last turn that
   * did not complete has none; the result for an earlier turn says nothing about the end.
   */
  void record(Transaction tx) {
    last.filter(this::isAboutLastTurn).ifPresent(judgement -> record(tx, judgement));
  }

  private boolean isAboutLastTurn(Judgement judgement) {
    return unitOfWork.turn().map(TurnRecord::number).equals(Optional.of(judgement.turn()));
  }

  private void record(Transaction tx, Judgement judgement) {
    RunEvent event =
        judgement
            .completion()
            .filter(_ -> judgement.problems().isEmpty())
            .<RunEvent>map(this::accepted)
            .orElseGet(() ->
                new RunEvent.CompletionRejected(
                    unitOfWork.attemptNumber(), describe(judgement.problems()), true));
    tx.append(unitOfWork.run().id(), unitOfWork.now(), event);
  }

  private RunEvent accepted(Completion it) {
    return new RunEvent.CompletionAccepted(
        unitOfWork.attemptNumber(),
        it.branch().value(),
        it.commitSha(),
        it.filesChanged(),
        it.testResult(),
        it.risk(),
        it.prUrl(),
        it.prSkippedReason());
  }

  private static List<String> describe(List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.field() + ": " + problem.message())
        .collect(Collectors.toList());
  }

  /** The result for the turn that has just settled. Each turn is checked once. */
  private Optional<Judgement> judgement() {
    Optional<TurnRecord> turn = unitOfWork.turn().filter(TurnRecord::completed);
    if (dispatch.isEmpty() || turn.isEmpty()) {
      return Optional.empty();
    }
    if (last.filter(known -> known.turn() == turn.get().number()).isEmpty()) {
      last = Optional.of(judge(turn.get(), dispatch.get()));
    }
    return last;
  }

  private Judgement judge(TurnRecord turn, Dispatch asked) {
    String answer = turn.answer().orElse("");
    return switch (CompletionReader.read(CompletionBlocks.last(answer), asked)) {
      case Validated.Invalid<Completion>(List<Problem> problems) ->
          new Judgement(turn.number(), Optional.empty(), problems);
      case Validated.Valid<Completion>(Completion said) ->
          new Judgement(turn.number(), Optional.of(said), objections(said, asked));
    };
  }

  private List<Problem> objections(Completion said, Dispatch asked) {
    if (asked.noCode()) {
      return List.of();
    }
    Checkout checkout = new Checkout(Path.of(unitOfWork.run().spec().workspace()));
    try {
      return CompletionVerifier.objections(
          said, checkout.inspect(asked.runId(), asked.branch(), said.commitSha()));
    } catch (RefusedException unreadable) {
      return RepairHint.naming(unitOfWork.run().id(), unreadable).problems();
    }
  }

  /** Whether the run has had its repair turn since it was given its task. */
  private boolean hasHadRepair() {
    for (TurnRecord turn : ledger.read(r -> r.turns(unitOfWork.run().id())).reversed()) {
      switch (turn.purpose()) {
        case REPAIR -> {
          return true;
        }
        case TASK -> {
          return false;
        }
        case CONTINUE, STEERS, AGENT -> {}
      }
    }
    return false;
  }
}
