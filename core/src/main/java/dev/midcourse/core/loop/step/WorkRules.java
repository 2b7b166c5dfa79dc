package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingAnswer;
import dev.midcourse.core.loop.finding.FindingId;
import dev.midcourse.core.loop.finding.FindingList;
import dev.midcourse.core.loop.finding.FixAnswers;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What follows from the facts that no person ordered. */
final class WorkRules {
  private WorkRules() {}

  static Outcome apply(LoopEditor draft, LoopFact.Happened fact) {
    return switch (fact) {
      case LoopFact.Prepared it -> prepared(draft, it);
      case LoopFact.NotPrepared(String why) -> notPrepared(draft, why);
      case LoopFact.WorkEnded it -> workEnded(draft, it);
      case LoopFact.ReviewEnded it -> VerdictRules.reviewEnded(draft, it);
      case LoopFact.CiEnded it -> VerdictRules.ciEnded(draft, it);
      case LoopFact.CallImpossible it -> impossible(draft, it);
      case LoopFact.TimePassed _ -> CheckRules.timePassed(draft);
      case LoopFact.Landed(String commit) -> LandRules.landed(draft, commit);
      case LoopFact.BaseMerged(CommitState at) -> LandRules.baseMerged(draft, at);
      case LoopFact.NotLanded it -> LandRules.notLanded(draft, it);
      case LoopFact.BaseUnchanged _ -> LandRules.baseUnchanged(draft);
      case LoopFact.SignedIn it -> PublishRules.signedIn(draft, it);
      case LoopFact.Pushed(String head) -> PublishRules.pushed(draft, head);
      case LoopFact.NotPushed it -> PublishRules.notPushed(draft, it);
      case LoopFact.ForgeWrote it -> PublishRules.wrote(draft, it);
      case LoopFact.ForgeRead it -> ForgeRules.read(draft, it);
      case LoopFact.ForgeFailed(ForgeError error) -> ForgeRules.failed(draft, error);
      case LoopFact.RemoteTaken it -> ForgeRules.taken(draft, it);
      case LoopFact.ParentLanded(String base) -> ForgeRules.parentLanded(draft, base);
      case LoopFact.NotOffered it -> notOffered(draft, it);
      case LoopFact.NotGiven it -> notGiven(draft, it);
    };
  }

  private static Outcome prepared(LoopEditor draft, LoopFact.Prepared fact) {
    if (draft.phase != LoopPhase.PREPARE) {
      return new Outcome.Ignored("it is prepared already");
    }
    if (draft.base.isEmpty()) {
      draft.base = Optional.of(fact.base());
    }
    draft.head = Optional.of(fact.at().commit());
    draft.tell("prepared branch " + draft.from.spec().branch());
    if (PublishRules.isAdopted(draft)) {
      PublishRules.adopt(draft, fact.at());
    } else {
      implement(draft);
    }
    return DONE;
  }

  private static Outcome notPrepared(LoopEditor draft, String why) {
    if (draft.phase != LoopPhase.PREPARE) {
      return new Outcome.Ignored("it is prepared already");
    }
    draft.park(ParkReason.NOT_PREPARED, why, LoopPhase.PREPARE);
    return DONE;
  }

  /** Begins the task, unless a budget is spent. */
  static void implement(LoopEditor draft) {
    draft.enter(LoopPhase.IMPLEMENT);
    if (parkIfSpent(draft, LoopPhase.IMPLEMENT)) {
      return;
    }
    draft.openCall(
        CallKind.IMPLEMENT, Optional.empty(), LoopPrompts.implement(draft.loop()), List.of());
  }

  static boolean parkIfSpent(LoopEditor draft, LoopPhase resume) {
    Optional<String> spent = draft.spentTotal();
    spent.ifPresent(what ->
        draft.park(
            ParkReason.BUDGET, what + "; go on without this limit, or stop the loop", resume));
    return spent.isPresent();
  }

  private static Outcome workEnded(LoopEditor draft, LoopFact.WorkEnded fact) {
    Optional<LoopCall> open = openCall(draft, fact.call()).filter(it -> it.kind().isWork());
    if (open.isEmpty()) {
      return new Outcome.Ignored("call " + fact.call() + " is not open");
    }
    LoopCall call = open.get();
    LoopPhase phase = draft.phase;
    draft.spent = draft.spent.plus(fact.used());
    boolean _ = draft.unbind(call.number(), fact.notOffered());
    switch (fact.end()) {
      case CallEnd.Failed(String why) -> {
        draft.closeCall(call, "failed: " + why);
        draft.park(ParkReason.AGENT_FAILED, "run " + call.run() + " failed: " + why, phase);
      }
      case CallEnd.Stopped _ -> {
        draft.calls.set(call.number() - 1, call.cut(draft.now, "stopped"));
        draft.park(ParkReason.RUN_STOPPED, "run " + call.run() + " was stopped", phase);
      }
      case CallEnd.Answered(String text) ->
          answered(draft, call.at(fact.state().commit()), text, fact.state());
    }
    return DONE;
  }

  private static void answered(LoopEditor draft, LoopCall call, String text, CommitState state) {
    LoopPhase phase = draft.phase;
    String known = draft.head.orElseThrow();
    if (!state.continues()) {
      draft.closeCall(call, "the branch was rewritten");
      draft.head = Optional.of(state.commit());
      draft.park(
          ParkReason.FOREIGN_CHANGE,
          "branch "
              + draft.from.spec().branch()
              + " no longer contains "
              + LoopEditor.shortened(known)
              + "; go on to check it as it is, or stop the loop",
          LoopPhase.CHECK);
      return;
    }
    List<FindingAnswer> answers = FixAnswers.read(text);
    draft.findings = draft.findings.answered(call.given(), answers);
    List<FindingId> unanswered = FindingList.unanswered(call.given(), answers);
    List<String> faults = faults(draft, state, answers, unanswered);
    if (!faults.isEmpty()) {
      draft.closeCall(call, "contract not kept");
      repairOrPark(draft, call, faults, unanswered);
      return;
    }
    draft.closeCall(call, summary(known, state));
    boolean unchanged = state.commit().equals(known) && phase == LoopPhase.FIX;
    if (!unchanged && draft.trees.contains(state.tree()) && !isNewest(draft, state)) {
      draft.head = Optional.of(state.commit());
      draft.park(
          ParkReason.BOUNCE,
          "the code is the same as in an earlier round; say how to go on",
          LoopPhase.FIX);
      return;
    }
    draft.head = Optional.of(state.commit());
    guardTests(draft, state);
    Optional<FindingAnswer> question =
        answers.stream().filter(it -> it.kind() == FindingAnswer.Kind.UNCLEAR).findFirst();
    if (question.isPresent()) {
      draft.park(
          ParkReason.UNCLEAR,
          "the fixer asks about "
              + question.get().finding()
              + ": "
              + question.get().why()
              + "; answer with a steer and go on, or drop the finding",
          LoopPhase.FIX);
      return;
    }
    if (unchanged && call.given().isEmpty() && draft.check.isPresent()) {
      draft.enter(LoopPhase.CHECK);
      JudgeRules.settle(draft);
      return;
    }
    draft.trees.add(state.tree());
    PublishRules.afterWork(draft);
  }

  private static boolean isNewest(LoopEditor draft, CommitState state) {
    return draft.trees.getLast().equals(state.tree());
  }

  private static String summary(String known, CommitState state) {
    return state.commit().equals(known)
        ? "no new commit"
        : "commit " + LoopEditor.shortened(state.commit());
  }

  private static List<String> faults(
      LoopEditor draft,
      CommitState state,
      List<FindingAnswer> answers,
      List<FindingId> unanswered) {
    List<String> faults = new ArrayList<>();
    if (!state.onBranch()) {
      faults.add("The checkout is not on branch " + draft.from.spec().branch() + ".");
    }
    if (!state.clean()) {
      faults.add("Not everything is committed. Commit what belongs to the task, remove the rest.");
    }
    state
        .conflictMarkers()
        .forEach(file -> faults.add("The commit has conflict markers in " + file + "."));
    boolean claimsFix = answers.stream().anyMatch(it -> it.kind() == FindingAnswer.Kind.FIXED);
    if (draft.phase == LoopPhase.IMPLEMENT && draft.base.equals(Optional.of(state.commit()))) {
      faults.add("There is no commit for the task.");
    } else if (claimsFix && draft.head.equals(Optional.of(state.commit()))) {
      faults.add("An answer says \"fixed\", but there is no new commit.");
    }
    if (!unanswered.isEmpty()) {
      faults.add(
          "These findings have no answer with a reason: "
              + String.join(", ", unanswered.stream().map(FindingId::toString).toList())
              + ".");
    }
    return faults;
  }

  private static void repairOrPark(
      LoopEditor draft, LoopCall call, List<String> faults, List<FindingId> unanswered) {
    LoopPhase phase = draft.phase;
    if (call.kind() != CallKind.REPAIR) {
      draft.openCall(
          CallKind.REPAIR,
          Optional.empty(),
          LoopPrompts.repair(draft.loop(), faults, unanswered),
          unanswered);
      return;
    }
    boolean nothing = faults.contains("There is no commit for the task.");
    draft.park(
        nothing ? ParkReason.NO_CHANGE : ParkReason.CONTRACT,
        "run " + call.run() + " did not repair this: " + String.join(" ", faults),
        phase);
  }

  /** A test of the base that is gone is a finding, whoever reviews. */
  private static void guardTests(LoopEditor draft, CommitState state) {
    List<ReportedFinding> reports =
        state.deletedTests().stream()
            .limit(20)
            .map(file ->
                ReportedFinding.of(
                    Optional.of(file),
                    0,
                    Severity.MAJOR,
                    "This test was deleted",
                    "Restore it, or dispute this finding and say why the test has no use."))
            .toList();
    int round = draft.check.map(LoopCheck::round).orElse(0) + 1;
    draft.findings = draft.findings.afterLook(Finding.GUARD, reports, round, _ -> true);
  }

  private static Outcome impossible(LoopEditor draft, LoopFact.CallImpossible fact) {
    Optional<LoopCall> open = openCall(draft, fact.call());
    if (open.isEmpty()) {
      return new Outcome.Ignored("call " + fact.call() + " is not open");
    }
    LoopCall call = open.get();
    draft.closeCall(call, fact.why());
    if (call.kind().isWork()) {
      draft.park(ParkReason.AGENT_FAILED, fact.why(), draft.phase);
    } else {
      VerdictRules.unavailable(draft, call, fact.why());
    }
    return DONE;
  }

  static Optional<LoopCall> openCall(LoopEditor draft, int number) {
    return draft.calls.stream().filter(it -> it.number() == number && it.isOpen()).findFirst();
  }

  private static Outcome notOffered(LoopEditor draft, LoopFact.NotOffered fact) {
    if (!draft.unbind(fact.call(), fact.notOffered())) {
      return new Outcome.Ignored("no guidance is bound to call " + fact.call());
    }
    draft.tell("guidance that a run never got waits again");
    return DONE;
  }

  private static Outcome notGiven(LoopEditor draft, LoopFact.NotGiven fact) {
    Optional<Guidance> bound =
        draft.guidance.stream().filter(it -> it.id().equals(fact.guidance())).findFirst();
    Set<SteerId> steers =
        bound.stream()
            .flatMap(it -> it.bindings().stream())
            .filter(it -> it.call() == fact.call())
            .map(Guidance.Binding::steer)
            .collect(Collectors.toSet());
    if (!draft.unbind(fact.call(), steers)) {
      return new Outcome.Ignored("there is no such guidance");
    }
    draft.tell(
        "guidance "
            + fact.guidance().shortened()
            + (draft.phase.hasEnded()
                ? " came after the end of the loop"
                : " came after the end of the run; it waits"));
    return DONE;
  }
}
