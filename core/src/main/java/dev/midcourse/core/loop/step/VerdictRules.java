package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.util.List;
import java.util.Optional;

/** What reviewers and CI say about a commit. */
final class VerdictRules {
  private static final int MAX_REVIEW_TRIES = 2;

  private VerdictRules() {}

  static Outcome reviewEnded(LoopEditor draft, LoopFact.ReviewEnded fact) {
    Optional<LoopCall> open =
        WorkRules.openCall(draft, fact.call()).filter(it -> it.kind() == CallKind.REVIEW);
    if (open.isEmpty()) {
      return new Outcome.Ignored("call " + fact.call() + " is not open");
    }
    LoopCall call = open.get();
    draft.spent = draft.spent.plus(fact.used());
    boolean _ = draft.unbind(call.number(), fact.notOffered());
    String head = call.head().orElseThrow();
    if (!fact.tip().equals(head)) {
      draft.closeCall(call, "the branch moved meanwhile");
      parkForeign(draft, head, fact.tip());
      return DONE;
    }
    switch (fact.end()) {
      case CallEnd.Failed(String why) -> {
        draft.closeCall(call, "failed: " + why);
        unavailableReview(draft, head, why);
      }
      case CallEnd.Stopped _ -> {
        draft.calls.set(call.number() - 1, call.cut(draft.now, "stopped"));
        parkUnlessParked(
            draft, ParkReason.RUN_STOPPED, "review run " + call.run() + " was stopped");
      }
      case CallEnd.Answered _ ->
          reported(
              draft,
              call,
              fact.report().orElseGet(() -> new ReviewReport.Unreadable("it has no report")));
    }
    return DONE;
  }

  private static void parkForeign(LoopEditor draft, String head, String tip) {
    draft.head = Optional.of(tip);
    parkUnlessParked(
        draft,
        ParkReason.FOREIGN_CHANGE,
        "somebody moved branch "
            + draft.from.spec().branch()
            + " from "
            + LoopEditor.shortened(head)
            + " to "
            + LoopEditor.shortened(tip)
            + "; go on to check it as it is, or stop the loop");
  }

  private static void parkUnlessParked(LoopEditor draft, ParkReason reason, String question) {
    if (draft.phase == LoopPhase.CHECK) {
      draft.park(reason, question, LoopPhase.CHECK);
    }
  }

  private static void reported(LoopEditor draft, LoopCall call, ReviewReport report) {
    String head = call.head().orElseThrow();
    switch (report) {
      case ReviewReport.NoFindings _ -> {
        draft.closeCall(call, "no findings");
        look(draft, CheckRules.reviewer(draft), head, List.of(), 0);
      }
      case ReviewReport.WithFindings(List<ReportedFinding> findings, int omitted) -> {
        draft.closeCall(call, (findings.size() + omitted) + " findings");
        look(draft, CheckRules.reviewer(draft), head, findings, omitted);
      }
      case ReviewReport.Unreadable(String why) -> {
        draft.closeCall(call, why);
        unreadable(draft, call, why);
      }
    }
  }

  private static void unreadable(LoopEditor draft, LoopCall call, String why) {
    long tries =
        draft.calls.stream()
            .filter(it -> it.kind() == CallKind.REVIEW && it.round() == call.round())
            .count();
    boolean again = tries < MAX_REVIEW_TRIES && draft.phase == LoopPhase.CHECK;
    if (again) {
      draft.tell("the review cannot be read (" + why + "); asking once more");
      CheckRules.askForMissing(draft);
    } else {
      unavailableReview(draft, call.head().orElseThrow(), why);
    }
  }

  /** Takes over what a reviewer found in a commit. */
  private static void look(
      LoopEditor draft, String source, String head, List<ReportedFinding> reports, int omitted) {
    if (!isCurrent(draft, head)) {
      return;
    }
    int round = draft.check.orElseThrow().round();
    draft.findings = draft.findings.afterLook(source, reports, round, _ -> true);
    long held =
        draft.findings.holding().stream()
            .filter(it -> it.source().equals(source) && it.lastRound() == round)
            .count();
    if (held == 0 && omitted > 0) {
      unavailableReview(draft, head, "it reported " + omitted + " findings more than can be read");
      return;
    }
    CheckRules.put(
        draft,
        held == 0
            ? new ReviewVerdict.Clean(source, head)
            : new ReviewVerdict.WithFindings(source, head, (int) held));
    draft.tell(
        held == 0 ? source + " found nothing to fix" : source + " has " + held + " findings");
    JudgeRules.settle(draft);
  }

  private static boolean isCurrent(LoopEditor draft, String head) {
    return draft.check.filter(it -> it.head().equals(head)).isPresent();
  }

  private static void unavailableReview(LoopEditor draft, String head, String why) {
    if (isCurrent(draft, head)) {
      CheckRules.put(draft, new ReviewVerdict.Unavailable(CheckRules.reviewer(draft), head, why));
      draft.tell("no review: " + why);
      JudgeRules.settle(draft);
    }
  }

  static Outcome ciEnded(LoopEditor draft, LoopFact.CiEnded fact) {
    Optional<LoopCall> open =
        WorkRules.openCall(draft, fact.call()).filter(it -> it.kind() == CallKind.CI);
    if (open.isEmpty()) {
      return new Outcome.Ignored("call " + fact.call() + " is not open");
    }
    draft.closeCall(open.get(), ciText(fact.verdict()));
    if (draft.phase == LoopPhase.VERIFY) {
      PublishRules.verified(draft, fact.verdict(), fact.findings());
      return DONE;
    }
    if (isCurrent(draft, fact.verdict().head())) {
      takeCi(draft, fact.verdict(), fact.findings());
    }
    return DONE;
  }

  private static void takeCi(LoopEditor draft, CiVerdict verdict, List<ReportedFinding> findings) {
    int round = draft.check.orElseThrow().round();
    switch (verdict) {
      case CiVerdict.Green _ ->
          draft.findings = draft.findings.afterLook(Finding.CI, List.of(), round, _ -> true);
      case CiVerdict.Red _ ->
          draft.findings = draft.findings.afterLook(Finding.CI, findings, round, _ -> true);
      case CiVerdict.Unavailable _, CiVerdict.NotTested _ -> {}
    }
    CheckRules.put(draft, verdict);
    draft.tell("CI: " + ciText(verdict));
    JudgeRules.settle(draft);
  }

  static String ciText(CiVerdict verdict) {
    return switch (verdict) {
      case CiVerdict.Green _ -> "green";
      case CiVerdict.Red(_, String summary) -> "red: " + summary;
      case CiVerdict.Unavailable(_, String why) -> "no result: " + why;
      case CiVerdict.NotTested(_, String why) -> "not tested: " + why;
    };
  }

  /** The run of a review or of CI could not be made. */
  static void unavailable(LoopEditor draft, LoopCall call, String why) {
    String head = call.head().orElseThrow();
    if (call.kind() == CallKind.REVIEW) {
      unavailableReview(draft, head, why);
    } else if (draft.phase == LoopPhase.VERIFY) {
      PublishRules.verified(draft, new CiVerdict.Unavailable(head, why), List.of());
    } else if (isCurrent(draft, head)) {
      takeCi(draft, new CiVerdict.Unavailable(head, why), List.of());
    }
  }

  static Outcome reviewedByPerson(LoopEditor draft, LoopCommand.Review command) {
    LoopCheck check = draft.check.orElseThrow();
    draft.calls.stream()
        .filter(it -> it.isOpen() && it.kind() == CallKind.REVIEW)
        .toList()
        .forEach(it -> draft.cutCall(it, "a person reviewed instead"));
    if (draft.phase == LoopPhase.PARKED) {
      draft.enter(LoopPhase.CHECK);
    }
    look(draft, person(command), check.head(), command.findings(), 0);
    return DONE;
  }

  private static String person(LoopCommand.Review command) {
    return command.author().group().value();
  }
}
