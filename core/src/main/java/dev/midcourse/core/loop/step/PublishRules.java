package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.ReviewScope;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.util.List;
import java.util.Optional;

/** The way of a commit to the forge: own CI, push, change, answers, and the next look at it. */
final class PublishRules {
  private PublishRules() {}

  static Outcome signedIn(LoopEditor draft, LoopFact.SignedIn fact) {
    if (draft.forge.isEmpty()) {
      return new Outcome.Ignored("it uses no forge");
    }
    draft.remote().login = fact.login();
    draft.remote().change = draft.remote().change.or(fact::adopted);
    return draft.isChanged() ? DONE : new Outcome.Ignored("it has signed in already");
  }

  /** Whether the loop began with a change that was there, and has not got another task since. */
  static boolean isAdopted(LoopEditor draft) {
    return draft.from.spec().forge().flatMap(ForgeOrder::adopt).isPresent()
        && draft.prompts.size() == 1;
  }

  static void adopt(LoopEditor draft, CommitState at) {
    ForgeEditor forge = draft.remote();
    forge.setPushed(at.commit());
    draft.trees.add(at.tree());
    draft.tell("took over change " + forge.change.map(ChangeRef::number).orElse("?"));
    afterWork(draft);
  }

  /** Checks the newest commit: at once, or on its way to the forge. */
  static void afterWork(LoopEditor draft) {
    Optional<String> ci = draft.from.spec().ci();
    if (draft.forge.isEmpty()) {
      CheckRules.begin(draft, scope(draft));
    } else if (ci.isPresent() && !draft.remote().verified.equals(draft.head)) {
      draft.enter(LoopPhase.VERIFY);
      draft.openCall(CallKind.CI, draft.head, ci.get(), List.of());
    } else {
      publish(draft);
    }
  }

  private static ReviewScope scope(LoopEditor draft) {
    return draft.loop().count(CallKind.REVIEW) == 0 ? ReviewScope.WHOLE : ReviewScope.CHANGES;
  }

  /** The loop's own CI has ended, before anything was pushed. */
  static void verified(LoopEditor draft, CiVerdict verdict, List<ReportedFinding> findings) {
    if (!draft.head.equals(Optional.of(verdict.head()))) {
      return;
    }
    int round = draft.loop().round() + 1;
    draft.tell("CI here: " + VerdictRules.ciText(verdict));
    switch (verdict) {
      case CiVerdict.Green(String head) -> {
        draft.findings = draft.findings.afterLook(Finding.CI, List.of(), round, _ -> true);
        draft.remote().verified = Optional.of(head);
        publish(draft);
      }
      case CiVerdict.Red _ -> {
        draft.findings = draft.findings.afterLook(Finding.CI, findings, round, _ -> true);
        JudgeRules.judgeFindings(draft);
      }
      case CiVerdict.Unavailable(_, String why) ->
          draft.park(
              ParkReason.UNAVAILABLE,
              "CI has no result: " + why + "; go on to run it again, or skip it",
              LoopPhase.VERIFY);
      case CiVerdict.NotTested _ -> publish(draft);
    }
  }

  /** Brings the newest commit to the forge. */
  static void publish(LoopEditor draft) {
    draft.enter(LoopPhase.PUBLISH);
    if (draft.remote().pushed.equals(draft.head)) {
      published(draft);
    } else {
      draft.act(new LoopAct.Push(draft.head.orElseThrow()));
    }
  }

  static Outcome pushed(LoopEditor draft, String head) {
    if (draft.forge.isEmpty() || draft.phase.hasEnded()) {
      return new Outcome.Ignored("it pushes nothing");
    }
    draft.remote().setPushed(head);
    if (draft.phase == LoopPhase.PUBLISH && draft.head.equals(Optional.of(head))) {
      draft.tell("pushed " + LoopEditor.shortened(head));
      published(draft);
    }
    return draft.isChanged() ? DONE : new Outcome.Ignored("it is known already");
  }

  static Outcome notPushed(LoopEditor draft, LoopFact.NotPushed fact) {
    if (draft.phase != LoopPhase.PUBLISH) {
      return new Outcome.Ignored("it pushes nothing");
    }
    switch (fact.reason()) {
      case FOREIGN ->
          draft.park(
              ParkReason.FOREIGN_CHANGE,
              "the forge did not take the push, because branch "
                  + draft.from.spec().branch()
                  + " has other commits there; go on to take them over, or stop the loop",
              LoopPhase.PUBLISH);
      case AUTH -> parkForAuth(draft, fact.why());
      case REFUSED ->
          draft.park(
              ParkReason.FORGE_REFUSED,
              "the forge refuses the push: " + fact.why() + "; go on to try again",
              LoopPhase.PUBLISH);
    }
    return DONE;
  }

  static void parkForAuth(LoopEditor draft, String why) {
    draft.park(
        ParkReason.AUTH,
        "the forge does not accept the credentials: "
            + why
            + "; renew them, then go on. The wait is kept",
        draft.phase);
  }

  private static void published(LoopEditor draft) {
    ForgeEditor forge = draft.remote();
    if (forge.change.isPresent()) {
      answer(draft);
      return;
    }
    draft.write("open", ChangeTexts.open(draft.loop()));
  }

  /** Answers what was found at the forge and asks for the next review, then begins the checks. */
  static void answer(LoopEditor draft) {
    draft.enter(LoopPhase.ANSWER);
    RemoteAnswers.write(draft);
    draft.act(new LoopAct.Look());
    if (requestReview(draft)) {
      goOnWhenWritten(draft);
    }
  }

  /** Returns false if a budget is spent, and the loop is parked. */
  private static boolean requestReview(LoopEditor draft) {
    ForgeEditor forge = draft.remote();
    boolean needed =
        draft.from.spec().reviewer() instanceof LoopReviewer.OfLogin
            && !draft.from.spec().forge().orElseThrow().onlyCi()
            && !forge.askedHead.equals(draft.head);
    if (!needed) {
      return true;
    }
    if (forge.asked >= draft.budget.reviews()) {
      draft.park(
          ParkReason.BUDGET,
          "all " + draft.budget.reviews() + " reviews are used up; go on with more, or stop",
          LoopPhase.ANSWER);
      return false;
    }
    String head = draft.head.orElseThrow();
    String login = ((LoopReviewer.OfLogin) draft.from.spec().reviewer()).login();
    forge.asked++;
    forge.askedHead = draft.head;
    draft.write(
        "review/" + head + "/" + forge.asked,
        new ForgeAct.RequestReview(forge.change.orElseThrow(), login, head));
    return true;
  }

  private static void goOnWhenWritten(LoopEditor draft) {
    if (draft.phase == LoopPhase.ANSWER && draft.remote().awaited.isEmpty()) {
      CheckRules.begin(draft, scope(draft));
    }
  }

  static Outcome wrote(LoopEditor draft, LoopFact.ForgeWrote fact) {
    if (draft.forge.isEmpty() || !draft.remote().awaited.contains(fact.key())) {
      return new Outcome.Ignored("nothing waits for it");
    }
    switch (fact.result()) {
      case ForgeActResult.Done(String id) -> done(draft, fact, id);
      case ForgeActResult.Already(String id) -> done(draft, fact, id);
      case ForgeActResult.Refused(ForgeError error) -> refused(draft, fact, error);
      case ForgeActResult.Unknown _ -> {
        return new Outcome.Ignored("its result is not known yet");
      }
    }
    return DONE;
  }

  private static void done(LoopEditor draft, LoopFact.ForgeWrote fact, String id) {
    ForgeEditor forge = draft.remote();
    forge.awaited.remove(fact.key());
    switch (fact.act()) {
      case ForgeAct.Open _ -> {
        forge.change = Optional.of(new ChangeRef(id, ""));
        draft.tell("change " + id + " is open");
        if (draft.phase == LoopPhase.PUBLISH) {
          published(draft);
        }
      }
      case ForgeAct.Edit edit -> forge.base = edit.base().orElse(forge.base);
      case ForgeAct.MarkReady _ -> {
        forge.draft = false;
        draft.act(new LoopAct.Look());
      }
      case ForgeAct.Merge _ -> LandRules.merged(draft);
      case ForgeAct.RequestReview _,
          ForgeAct.Reply _,
          ForgeAct.Resolve _,
          ForgeAct.Comment _,
          ForgeAct.RerunFailed _,
          ForgeAct.UpdateBranch _,
          ForgeAct.Enqueue _,
          ForgeAct.Close _ -> {}
    }
    goOnWhenWritten(draft);
  }

  private static void refused(LoopEditor draft, LoopFact.ForgeWrote fact, ForgeError error) {
    draft.remote().awaited.remove(fact.key());
    boolean waits =
        draft.phase == LoopPhase.PUBLISH
            || draft.phase == LoopPhase.ANSWER
            || draft.phase == LoopPhase.LAND;
    if (error instanceof ForgeError.Unauthorized) {
      RemoteAnswers.forget(draft, fact.act());
      if (waits) {
        parkForAuth(draft, error.message());
      }
      return;
    }
    switch (fact.act()) {
      case ForgeAct.Open _ -> {
        if (draft.phase == LoopPhase.PUBLISH) {
          draft.park(
              ParkReason.FORGE_REFUSED,
              "the forge opens no change: " + error.message() + "; go on to try again",
              LoopPhase.PUBLISH);
        }
      }
      case ForgeAct.Merge _ -> LandRules.notMerged(draft, error);
      case ForgeAct.MarkReady _ -> LandRules.notMerged(draft, error);
      case ForgeAct.RequestReview _,
          ForgeAct.Edit _,
          ForgeAct.Reply _,
          ForgeAct.Resolve _,
          ForgeAct.Comment _,
          ForgeAct.RerunFailed _,
          ForgeAct.UpdateBranch _,
          ForgeAct.Enqueue _,
          ForgeAct.Close _ ->
          draft.tell("the forge refused " + fact.key() + ": " + error.message());
    }
    goOnWhenWritten(draft);
  }
}
