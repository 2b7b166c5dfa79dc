package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.loop.ReviewScope;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A round of checks: it begins, its verdicts come, and it is judged when both are there. */
final class CheckRules {
  /** How often a finding may come back before a person is asked. */
  static final int MAX_REOPENED = 2;

  /** How often a disputed finding may be upheld before a person is asked. */
  static final int MAX_UPHELD = 2;

  private static final int MAX_REVIEW_TRIES = 2;

  private CheckRules() {}

  /** Begins the next round for the newest commit. CI is not repeated for the same commit. */
  static void begin(LoopEditor draft, ReviewScope scope) {
    String head = draft.head.orElseThrow();
    Optional<CiVerdict> known =
        draft
            .check
            .filter(it -> it.head().equals(head))
            .flatMap(LoopCheck::ci)
            .filter(it -> !(it instanceof CiVerdict.Unavailable));
    LoopSpec spec = draft.from.spec();
    draft.enter(LoopPhase.CHECK);
    draft.check =
        Optional.of(
            new LoopCheck(
                draft.check.map(LoopCheck::round).orElse(0) + 1,
                head,
                scope,
                Optional.empty(),
                known,
                draft.now,
                draft.now.plus(spec.reviewTimeout()),
                draft.now.plus(spec.ciTimeout())));
    askForMissing(draft);
  }

  /** Asks for the verdicts that the round does not have. */
  private static void askForMissing(LoopEditor draft) {
    LoopCheck check = draft.check.orElseThrow();
    if (check.ci().isEmpty() && !isAsked(draft, CallKind.CI)) {
      askForCi(draft, check);
    }
    if (check.review().isEmpty() && !isAsked(draft, CallKind.REVIEW)) {
      askForReview(draft, check);
    }
    settle(draft);
  }

  private static boolean isAsked(LoopEditor draft, CallKind kind) {
    return draft.calls.stream().anyMatch(it -> it.isOpen() && it.kind() == kind);
  }

  private static void askForCi(LoopEditor draft, LoopCheck check) {
    Optional<String> command = draft.from.spec().ci();
    if (command.isPresent()) {
      draft.openCall(CallKind.CI, Optional.of(check.head()), command.get(), List.of());
    } else {
      put(draft, new CiVerdict.NotTested(check.head(), "no CI is set"));
    }
  }

  private static void askForReview(LoopEditor draft, LoopCheck check) {
    switch (draft.from.spec().reviewer()) {
      case LoopReviewer.OfAgent _ -> callReviewer(draft, check);
      case LoopReviewer.OfPerson _ ->
          draft.tell(
              "waits for a review of " + LoopEditor.shortened(check.head()) + " by a person");
      case LoopReviewer.Nobody nobody ->
          put(
              draft,
              new ReviewVerdict.NotReviewed(nobody.name(), check.head(), "no reviewer is set"));
    }
  }

  private static void callReviewer(LoopEditor draft, LoopCheck check) {
    if (draft.loop().count(CallKind.REVIEW) >= draft.budget.reviews()) {
      draft.park(
          ParkReason.BUDGET,
          "all " + draft.budget.reviews() + " reviews are used up; go on with more, or stop",
          LoopPhase.CHECK);
      return;
    }
    if (!WorkRules.parkIfSpent(draft, LoopPhase.CHECK)) {
      List<FindingId> open =
          draft.findings.all().stream()
              .filter(it -> !it.state().isSettled() && it.source().equals(reviewer(draft)))
              .map(Finding::id)
              .toList();
      draft.openCall(
          CallKind.REVIEW,
          Optional.of(check.head()),
          LoopPrompts.review(draft.loop(), check),
          open);
    }
  }

  private static String reviewer(LoopEditor draft) {
    return draft.from.spec().reviewer().name();
  }

  private static void put(LoopEditor draft, ReviewVerdict verdict) {
    draft.check = Optional.of(draft.check.orElseThrow().withReview(Optional.of(verdict)));
  }

  private static void put(LoopEditor draft, CiVerdict verdict) {
    draft.check = Optional.of(draft.check.orElseThrow().withCi(Optional.of(verdict)));
  }

  // ---- verdicts

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
        look(draft, reviewer(draft), head, List.of(), 0);
      }
      case ReviewReport.WithFindings(List<ReportedFinding> findings, int omitted) -> {
        draft.closeCall(call, (findings.size() + omitted) + " findings");
        look(draft, reviewer(draft), head, findings, omitted);
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
      askForMissing(draft);
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
    put(
        draft,
        held == 0
            ? new ReviewVerdict.Clean(source, head)
            : new ReviewVerdict.WithFindings(source, head, (int) held));
    draft.tell(
        held == 0 ? source + " found nothing to fix" : source + " has " + held + " findings");
    settle(draft);
  }

  private static boolean isCurrent(LoopEditor draft, String head) {
    return draft.check.filter(it -> it.head().equals(head)).isPresent();
  }

  private static void unavailableReview(LoopEditor draft, String head, String why) {
    if (isCurrent(draft, head)) {
      put(draft, new ReviewVerdict.Unavailable(reviewer(draft), head, why));
      draft.tell("no review: " + why);
      settle(draft);
    }
  }

  static Outcome ciEnded(LoopEditor draft, LoopFact.CiEnded fact) {
    Optional<LoopCall> open =
        WorkRules.openCall(draft, fact.call()).filter(it -> it.kind() == CallKind.CI);
    if (open.isEmpty()) {
      return new Outcome.Ignored("call " + fact.call() + " is not open");
    }
    draft.closeCall(open.get(), ciText(fact.verdict()));
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
    put(draft, verdict);
    draft.tell("CI: " + ciText(verdict));
    settle(draft);
  }

  private static String ciText(CiVerdict verdict) {
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

  static Outcome timePassed(LoopEditor draft) {
    if (draft.phase != LoopPhase.CHECK) {
      return new Outcome.Ignored("it waits for no check");
    }
    LoopCheck check = draft.check.orElseThrow();
    if (check.review().isEmpty() && !draft.now.isBefore(check.reviewDue())) {
      return late(draft, "the review by " + reviewer(draft) + " has not come in time");
    }
    if (check.ci().isEmpty() && !draft.now.isBefore(check.ciDue())) {
      return late(draft, "CI has not ended in time");
    }
    return new Outcome.Ignored("no time has passed");
  }

  private static Outcome late(LoopEditor draft, String what) {
    draft.park(ParkReason.DEADLINE, what + "; go on to wait longer, or skip it", LoopPhase.CHECK);
    return DONE;
  }

  // ---- the judgement

  /** Judges the round as soon as both verdicts are there. */
  static void settle(LoopEditor draft) {
    if (draft.phase == LoopPhase.CHECK && draft.check.orElseThrow().isSettled()) {
      judge(draft);
    }
  }

  private static void judge(LoopEditor draft) {
    LoopCheck check = draft.check.orElseThrow();
    if (check.review().orElseThrow()
        instanceof ReviewVerdict.Unavailable(String reviewer, _, String why)) {
      draft.park(
          ParkReason.UNAVAILABLE,
          reviewer + " gave no review: " + why + "; go on to ask again, or skip it",
          LoopPhase.CHECK);
    } else if (check.ci().orElseThrow() instanceof CiVerdict.Unavailable(_, String why)) {
      draft.park(
          ParkReason.UNAVAILABLE,
          "CI has no result: " + why + "; go on to run it again, or skip it",
          LoopPhase.CHECK);
    } else if (!draft.findings.holding().isEmpty()) {
      judgeFindings(draft);
    } else {
      judgeClean(draft, check);
    }
  }

  private static void judgeFindings(LoopEditor draft) {
    List<Finding> held = draft.findings.holding();
    draft.holding.add(held.size());
    Optional<Parking> question = question(draft, held);
    if (question.isPresent()) {
      draft.park(question.get().reason(), question.get().question(), LoopPhase.FIX);
    } else {
      fix(draft);
    }
  }

  /** What a person has to decide before another fix has a chance. */
  private static Optional<Parking> question(LoopEditor draft, List<Finding> held) {
    for (Finding it : held) {
      if (it.reopened() >= MAX_REOPENED) {
        return Optional.of(
            asking(draft.now, ParkReason.BOUNCE, it, " came back after it was fixed"));
      }
      if (it.upheld() >= MAX_UPHELD) {
        return Optional.of(
            asking(draft.now, ParkReason.DISPUTE, it, " is disputed, and upheld again"));
      }
    }
    List<Integer> counts = draft.holding;
    int rounds = counts.size();
    boolean stuck =
        rounds >= 3
            && counts.get(rounds - 1) >= counts.get(rounds - 2)
            && counts.get(rounds - 2) >= counts.get(rounds - 3);
    return stuck
        ? Optional.of(
            new Parking(
                ParkReason.NO_PROGRESS,
                "the number of open findings has not fallen in two rounds ("
                    + held.size()
                    + "); go on, say how, or stop",
                LoopPhase.FIX,
                draft.now))
        : Optional.empty();
  }

  private static Parking asking(Instant now, ParkReason reason, Finding finding, String what) {
    return new Parking(
        reason,
        finding.id() + " (" + finding.title() + ")" + what + "; drop it, uphold it, or go on",
        LoopPhase.FIX,
        now);
  }

  /** Begins a fix, unless a budget is spent. */
  static void fix(LoopEditor draft) {
    draft.enter(LoopPhase.FIX);
    if (draft.loop().count(CallKind.FIX) >= draft.budget.fixes()) {
      draft.park(
          ParkReason.BUDGET,
          "all "
              + draft.budget.fixes()
              + " fixes are used up and "
              + draft.findings.holding().size()
              + " findings are open; go on with more, or stop",
          LoopPhase.FIX);
      return;
    }
    if (!WorkRules.parkIfSpent(draft, LoopPhase.FIX)) {
      List<Finding> given = draft.findings.forFix();
      draft.openCall(
          CallKind.FIX,
          Optional.empty(),
          LoopPrompts.fix(draft.loop(), given),
          given.stream().map(Finding::id).toList());
    }
  }

  private static void judgeClean(LoopEditor draft, LoopCheck check) {
    boolean looked = check.review().orElseThrow() instanceof ReviewVerdict.Clean;
    boolean byAgent = draft.from.spec().reviewer() instanceof LoopReviewer.OfAgent;
    if (looked && check.scope() == ReviewScope.CHANGES) {
      draft.tell("the changes are clean; now the whole is reviewed once more");
      begin(draft, ReviewScope.WHOLE);
    } else if (isHeldFor(draft, CallKind.FIX)) {
      fix(draft);
    } else if (byAgent && isHeldFor(draft, CallKind.REVIEW)) {
      begin(draft, ReviewScope.WHOLE);
    } else if (draft.land) {
      draft.enter(LoopPhase.LAND);
      draft.act(new LoopAct.Merge(check.head()));
    } else {
      draft.end(LoopPhase.DONE, cleanSentence(draft));
    }
  }

  /** Whether guidance for one call waits for a call of this kind; the loop must not end before. */
  static boolean isHeldFor(LoopEditor draft, CallKind kind) {
    return draft.guidance.stream()
        .anyMatch(
            it -> it.isHeld() && it.scope() != GuidanceScope.STANDING && it.scope().takes(kind));
  }

  /** What was shown about the newest commit, and what was not. */
  static String cleanSentence(LoopEditor draft) {
    LoopCheck check = draft.check.orElseThrow();
    String review =
        switch (check.review().orElseThrow()) {
          case ReviewVerdict.Clean it -> "reviewed by " + it.reviewer();
          case ReviewVerdict.NotReviewed it -> "not reviewed (" + it.why() + ")";
          case ReviewVerdict.WithFindings it -> it.count() + " findings by " + it.reviewer();
          case ReviewVerdict.Unavailable it -> "no review (" + it.why() + ")";
        };
    return LoopEditor.shortened(check.head())
        + ": "
        + review
        + ", CI "
        + ciText(check.ci().orElseThrow());
  }

  /** Goes on with a round of checks that was parked: asks again for what is missing. */
  static void resume(LoopEditor draft) {
    Optional<LoopCheck> current =
        draft.check.filter(it -> Optional.of(it.head()).equals(draft.head));
    if (current.isEmpty()) {
      begin(draft, ReviewScope.WHOLE);
      return;
    }
    LoopSpec spec = draft.from.spec();
    draft.enter(LoopPhase.CHECK);
    draft.check =
        Optional.of(
            current
                .get()
                .withReview(
                    current.get().review().filter(it -> !(it instanceof ReviewVerdict.Unavailable)))
                .withCi(current.get().ci().filter(it -> !(it instanceof CiVerdict.Unavailable)))
                .withDue(draft.now.plus(spec.reviewTimeout()), draft.now.plus(spec.ciTimeout())));
    askForMissing(draft);
  }

  /** Ends the wait for what is missing: it is named in the result, and never clean. */
  static void skipMissing(LoopEditor draft, String by) {
    LoopCheck check = draft.check.orElseThrow();
    String why = "skipped by " + by;
    draft.cutOpenCalls(why);
    boolean noReview =
        check.review().isEmpty() || check.review().get() instanceof ReviewVerdict.Unavailable;
    boolean noCi = check.ci().isEmpty() || check.ci().get() instanceof CiVerdict.Unavailable;
    draft.enter(LoopPhase.CHECK);
    if (noReview) {
      put(draft, new ReviewVerdict.NotReviewed(reviewer(draft), check.head(), why));
    }
    if (noCi) {
      put(draft, new CiVerdict.NotTested(check.head(), why));
    }
    draft.tell("the wait was " + why);
    settle(draft);
  }
}
