package dev.midcourse.engine.supervise;

import dev.midcourse.agents.git.Checkout;
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
import dev.midcourse.engine.checkout.StoredDispatch;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a dispatched run owes at its end: a completion that holds against its dispatch and against
 * its checkout. One that does not hold gets one more turn; after that the run has failed. A run
 * without a dispatch owes nothing.
 */
final class CompletionCheck {
  private final AttemptUnitOfWork unitOfWork;
  private final Ledger ledger;
  private final Optional<Dispatch> dispatch;
  private Optional<Judgement> last = Optional.empty();

  /** What came of holding a turn's answer against the contract. */
  private record Judgement(int turn, Optional<Completion> completion, List<Problem> problems) {}

  CompletionCheck(AttemptUnitOfWork unitOfWork, Ledger ledger) {
    this.unitOfWork = unitOfWork;
    this.ledger = ledger;
    this.dispatch = StoredDispatch.of(unitOfWork.run().spec());
  }

  /** What to tell the worker now that its turn has settled, if it has one more chance. */
  Optional<String> repair() {
    Optional<Judgement> judged = judgement();
    if (judged.isEmpty() || judged.get().problems().isEmpty() || hasHadRepair()) {
      return Optional.empty();
    }
    List<Problem> problems = judged.get().problems();
    unitOfWork.append(
        new RunEvent.CompletionRejected(unitOfWork.attemptNumber(), words(problems), false));
    return Optional.of(WorkerPrompts.repair(dispatch.orElseThrow(), problems));
  }

  /** Whether the run would end now although it has one more chance. */
  boolean isRepairDue() {
    return judgement().filter(judgement -> !judgement.problems().isEmpty()).isPresent()
        && !hasHadRepair();
  }

  /** How a run ends whose last turn was completed with this answer. */
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
            "the completion does not hold: " + String.join("; ", words(problems)));
  }

  /** Writes down what was found, in the transaction that ends the run. */
  void record(Transaction tx) {
    if (last.isEmpty()) {
      return;
    }
    Judgement judgement = last.get();
    RunEvent event =
        judgement
            .completion()
            .filter(_ -> judgement.problems().isEmpty())
            .<RunEvent>map(this::accepted)
            .orElseGet(() ->
                new RunEvent.CompletionRejected(
                    unitOfWork.attemptNumber(), words(judgement.problems()), true));
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

  private static List<String> words(List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.field() + ": " + problem.message())
        .collect(Collectors.toList());
  }

  /** Judges the turn that has just settled, once. */
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
      return unreadable.problems();
    }
  }

  /** Whether this try at the run has had its one more chance. */
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
