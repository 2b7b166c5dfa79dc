package dev.midcourse.core.loop.step;

import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.loop.ReviewScope;
import dev.midcourse.core.loop.ReviewVerdict;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.FindingState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What follows from a round of checks as soon as both verdicts are there. */
final class JudgeRules {
  /** How often a finding may come back before a person is asked. */
  static final int MAX_REOPENED = 2;

  /** How often a disputed finding may be upheld before a person is asked. */
  static final int MAX_UPHELD = 2;

  private JudgeRules() {}

  /**
   * Judges the round as soon as both verdicts are there; with a forge, only after a complete look
   * at the newest commit there.
   */
  static void settle(LoopEditor draft) {
    boolean seen = draft.forge.isEmpty() || draft.remote().seen.equals(draft.head);
    if (draft.phase == LoopPhase.CHECK && draft.check.orElseThrow().isSettled() && seen) {
      judge(draft);
    }
  }

  /** Whether nothing speaks against the newest commit. */
  static boolean isClean(LoopEditor draft) {
    LoopCheck check = draft.check.orElseThrow();
    boolean good =
        check.isSettled()
            && !(check.review().orElseThrow() instanceof ReviewVerdict.Unavailable)
            && !(check.ci().orElseThrow() instanceof CiVerdict.Unavailable);
    return good && draft.findings.holding().isEmpty();
  }

  /** The findings that a fix can do something about. The others wait for a word at the forge. */
  private static List<Finding> held(LoopEditor draft) {
    return draft.findings.holding().stream().filter(it -> !waits(draft, it)).toList();
  }

  private static boolean waits(LoopEditor draft, Finding finding) {
    return finding.state() != FindingState.OPEN
        && draft
            .forge
            .filter(forge ->
                forge.remarks.stream()
                    .anyMatch(it -> it.waits() && it.finding().equals(finding.id())))
            .isPresent();
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
          "CI has no result: "
              + why
              + (draft.forge.isPresent()
                  ? "; run it again at the forge and go on, or skip it"
                  : "; go on to run it again, or skip it"),
          LoopPhase.CHECK);
    } else if (!held(draft).isEmpty()) {
      judgeFindings(draft);
    } else if (!draft.findings.holding().isEmpty()) {
      judgeWaiting(draft);
    } else {
      judgeClean(draft, check);
    }
  }

  /** A fixed thread waits for its author. About a disputed one a person has to decide. */
  private static void judgeWaiting(LoopEditor draft) {
    draft.findings.holding().stream()
        .filter(it -> it.state() != FindingState.FIXED)
        .findFirst()
        .ifPresent(it ->
            draft.park(
                ParkReason.DISPUTE,
                it.id()
                    + " ("
                    + it.title()
                    + ") is "
                    + it.state().wire()
                    + " and still open at the forge; drop it, uphold it, or resolve the thread and go on",
                LoopPhase.CHECK));
  }

  static void judgeFindings(LoopEditor draft) {
    List<Finding> held = held(draft);
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
              + held(draft).size()
              + " findings are open; go on with more, or stop",
          LoopPhase.FIX);
      return;
    }
    if (!WorkRules.parkIfSpent(draft, LoopPhase.FIX)) {
      List<Finding> given =
          draft.findings.forFix().stream().filter(it -> !waits(draft, it)).toList();
      List<FindingId> ids = given.stream().map(Finding::id).toList();
      draft.forge.ifPresent(forge ->
          forge.changeRemarks(
              it -> ids.contains(it.finding()) && it.answered() ? it.reopened() : it));
      draft.openCall(CallKind.FIX, Optional.empty(), LoopPrompts.fix(draft.loop(), given), ids);
    }
  }

  private static void judgeClean(LoopEditor draft, LoopCheck check) {
    boolean looked = check.review().orElseThrow() instanceof ReviewVerdict.Clean;
    boolean byAgent = draft.from.spec().reviewer() instanceof LoopReviewer.OfAgent;
    if (looked && check.scope() == ReviewScope.CHANGES) {
      draft.tell("the changes are clean; now the whole is reviewed once more");
      CheckRules.begin(draft, ReviewScope.WHOLE);
    } else if (isHeldFor(draft, CallKind.FIX)) {
      fix(draft);
    } else if (byAgent && isHeldFor(draft, CallKind.REVIEW)) {
      CheckRules.begin(draft, ReviewScope.WHOLE);
    } else if (draft.land) {
      LandRules.begin(draft);
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
        + VerdictRules.ciText(check.ci().orElseThrow());
  }
}
