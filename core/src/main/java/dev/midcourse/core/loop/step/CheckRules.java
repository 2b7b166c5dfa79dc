package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.ReviewScope;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.util.List;
import java.util.Optional;

/** A round of checks: it begins, its verdicts are asked for, and its time runs out. */
final class CheckRules {
  private CheckRules() {}

  /** Begins the next round for the newest commit. CI is not repeated for the same commit. */
  static void begin(LoopEditor draft, ReviewScope scope) {
    String head = draft.head.orElseThrow();
    Optional<CiVerdict> known =
        draft
            .check
            .filter(it -> it.head().equals(head))
            .flatMap(LoopCheck::ci)
            .filter(it -> !(it instanceof CiVerdict.Unavailable) && draft.forge.isEmpty());
    LoopSpec spec = draft.from.spec();
    draft.enter(LoopPhase.CHECK);
    draft.forge.ifPresent(it -> it.seen = Optional.empty());
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
  static void askForMissing(LoopEditor draft) {
    LoopCheck check = draft.check.orElseThrow();
    draft.forge.ifPresent(_ -> draft.act(new LoopAct.Look()));
    if (check.ci().isEmpty() && !isAsked(draft, CallKind.CI)) {
      askForCi(draft, check);
    }
    if (check.review().isEmpty() && !isAsked(draft, CallKind.REVIEW)) {
      askForReview(draft, check);
    }
    JudgeRules.settle(draft);
  }

  private static boolean isAsked(LoopEditor draft, CallKind kind) {
    return draft.calls.stream().anyMatch(it -> it.isOpen() && it.kind() == kind);
  }

  private static void askForCi(LoopEditor draft, LoopCheck check) {
    if (draft.forge.isPresent()) {
      return; // the loop's own CI has run before the push, and the forge has its checks
    }
    Optional<String> command = draft.from.spec().ci();
    if (command.isPresent()) {
      draft.openCall(CallKind.CI, Optional.of(check.head()), command.get(), List.of());
    } else {
      put(draft, new CiVerdict.NotTested(check.head(), "no CI is set"));
    }
  }

  private static void askForReview(LoopEditor draft, LoopCheck check) {
    if (draft.from.spec().forge().filter(ForgeOrder::onlyCi).isPresent()) {
      put(
          draft,
          new ReviewVerdict.NotReviewed(reviewer(draft), check.head(), "only CI was asked for"));
      return;
    }
    switch (draft.from.spec().reviewer()) {
      case LoopReviewer.OfAgent _ -> callReviewer(draft, check);
      case LoopReviewer.OfLogin _ -> draft.tell("waits for a review by " + reviewer(draft));
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

  static String reviewer(LoopEditor draft) {
    return draft.from.spec().reviewer().name();
  }

  static void put(LoopEditor draft, ReviewVerdict verdict) {
    draft.check = Optional.of(draft.check.orElseThrow().withReview(Optional.of(verdict)));
  }

  static void put(LoopEditor draft, CiVerdict verdict) {
    draft.check = Optional.of(draft.check.orElseThrow().withCi(Optional.of(verdict)));
  }

  static Outcome timePassed(LoopEditor draft) {
    return switch (draft.phase) {
      case CHECK -> timePassedInCheck(draft);
      case VERIFY -> timePassedInVerify(draft);
      case LAND ->
          draft.forge.isPresent()
              ? LandRules.timePassed(draft)
              : new Outcome.Ignored("it waits for nothing");
      case PREPARE, IMPLEMENT, PUBLISH, ANSWER, FIX, SYNC, PARKED, DONE, STOPPED ->
          new Outcome.Ignored("it waits for no check");
    };
  }

  private static Outcome timePassedInVerify(LoopEditor draft) {
    Optional<LoopCall> ci = draft.calls.stream().filter(LoopCall::isOpen).findFirst();
    boolean over =
        ci.filter(it -> !draft.now.isBefore(it.createdAt().plus(draft.from.spec().ciTimeout())))
            .isPresent();
    if (!over) {
      return new Outcome.Ignored("no time has passed");
    }
    draft.cutCall(ci.orElseThrow(), "it has not ended in time");
    draft.park(
        ParkReason.DEADLINE,
        "CI has not ended in time; go on to run it again, or skip it",
        LoopPhase.VERIFY);
    return DONE;
  }

  private static Outcome timePassedInCheck(LoopEditor draft) {
    LoopCheck check = draft.check.orElseThrow();
    if (check.review().isEmpty() && !draft.now.isBefore(check.reviewDue())) {
      return late(draft, "the review by " + reviewer(draft) + " has not come in time");
    }
    if (check.ci().isEmpty() && !draft.now.isBefore(check.ciDue())) {
      return late(draft, "CI has not ended in time");
    }
    boolean waits = draft.forge.filter(it -> !it.waiting().isEmpty()).isPresent();
    if (check.isSettled() && waits && !draft.now.isBefore(check.reviewDue())) {
      return late(draft, "threads that were answered are still open at the forge");
    }
    return new Outcome.Ignored("no time has passed");
  }

  private static Outcome late(LoopEditor draft, String what) {
    draft.park(ParkReason.DEADLINE, what + "; go on to wait longer, or skip it", LoopPhase.CHECK);
    return DONE;
  }

  /** Goes on with a round of checks that was parked: asks again for what is missing. */
  static void resume(LoopEditor draft) {
    if (draft.forge.isPresent()) {
      resumeAtForge(draft);
    } else {
      resumeHere(draft);
    }
  }

  /** A commit that is not at the forge has to go there first, and so do answers. */
  private static void resumeAtForge(LoopEditor draft) {
    ForgeEditor forge = draft.remote();
    boolean askAgain =
        draft
            .check
            .flatMap(LoopCheck::review)
            .filter(ReviewVerdict.Unavailable.class::isInstance)
            .isPresent();
    if (askAgain) {
      forge.askedHead = Optional.empty();
    }
    boolean there = forge.change.isPresent() && forge.pushed.equals(draft.head);
    boolean nothingToSay =
        !askAgain
            && draft.check.filter(it -> draft.head.equals(Optional.of(it.head()))).isPresent();
    if (there && nothingToSay) {
      resumeHere(draft);
    } else if (draft.head.isPresent()) {
      PublishRules.afterWork(draft);
    } else {
      WorkRules.implement(draft);
    }
  }

  private static void resumeHere(LoopEditor draft) {
    Optional<LoopCheck> current =
        draft.check.filter(it -> Optional.of(it.head()).equals(draft.head));
    if (current.isEmpty()) {
      begin(draft, ReviewScope.WHOLE);
      return;
    }
    LoopSpec spec = draft.from.spec();
    draft.enter(LoopPhase.CHECK);
    draft.forge.ifPresent(it -> it.seen = Optional.empty());
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
    draft.forge.ifPresent(_ -> draft.act(new LoopAct.Look()));
    JudgeRules.settle(draft);
  }
}
