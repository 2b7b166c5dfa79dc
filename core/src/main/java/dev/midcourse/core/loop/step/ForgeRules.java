package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.util.Optional;

/** What follows from a look at the change: first whether it is still ours, then what it says. */
final class ForgeRules {
  private ForgeRules() {}

  static Outcome read(LoopEditor draft, LoopFact.ForgeRead look) {
    ChangeSnapshot snapshot = look.snapshot();
    boolean known =
        draft.forge.isPresent()
            && draft
                .remote()
                .change
                .filter(it -> it.number().equals(snapshot.ref().number()))
                .isPresent();
    if (!known || draft.phase.hasEnded()) {
      return new Outcome.Ignored("nothing waits for this change");
    }
    ForgeEditor forge = draft.remote();
    if (!snapshot.ref().url().isBlank()) {
      forge.change = Optional.of(new ChangeRef(snapshot.ref().number(), snapshot.ref().url()));
    }
    forge.seenBase = snapshot.base();
    if (isOurs(draft, snapshot)) {
      forge.mergeability = snapshot.mergeability();
      forge.draft = snapshot.draft();
      takeOver(draft, look);
    }
    return draft.isChanged() ? DONE : new Outcome.Ignored("nothing has changed");
  }

  /** Whether the change is open, and has the head and the base that the loop knows. */
  private static boolean isOurs(LoopEditor draft, ChangeSnapshot snapshot) {
    ForgeEditor forge = draft.remote();
    switch (snapshot.state()) {
      case MERGED -> {
        merged(draft, snapshot);
        return false;
      }
      case CLOSED -> {
        park(
            draft,
            ParkReason.CHANGE_CLOSED,
            "somebody closed change "
                + snapshot.ref().number()
                + "; open it again and go on, or"
                + " stop the loop");
        return false;
      }
      case OPEN -> {}
    }
    boolean editing = forge.awaited.stream().anyMatch(it -> it.startsWith("edit/"));
    if (!snapshot.base().equals(forge.base) && !editing) {
      park(
          draft,
          ParkReason.RETARGETED,
          "somebody gave change "
              + snapshot.ref().number()
              + " the base "
              + snapshot.base()
              + " instead of "
              + forge.base
              + "; go on with it, or stop the loop");
      return false;
    }
    if (forge.pushed.equals(Optional.of(snapshot.head()))) {
      return true;
    }
    boolean onItsWay =
        forge.pushed.isEmpty()
            || draft.phase == LoopPhase.PUBLISH
            || draft.phase == LoopPhase.SYNC
            || forge.earlier.contains(snapshot.head());
    if (!onItsWay) {
      park(
          draft,
          ParkReason.FOREIGN_CHANGE,
          "somebody pushed "
              + LoopEditor.shortened(snapshot.head())
              + " to branch "
              + draft.from.spec().branch()
              + " at the forge; go on to take it over, or stop the loop");
    }
    return false;
  }

  /** Ends what runs, and asks a person. A loop that asks already goes on doing so. */
  private static void park(LoopEditor draft, ParkReason reason, String question) {
    if (draft.phase == LoopPhase.PARKED) {
      return;
    }
    LoopPhase phase = draft.phase;
    draft.cutOpenCalls(question);
    draft.park(reason, question, phase);
  }

  private static void merged(LoopEditor draft, ChangeSnapshot snapshot) {
    boolean byUs = draft.phase == LoopPhase.LAND && draft.head.equals(Optional.of(snapshot.head()));
    if (byUs) {
      LandRules.merged(draft);
      return;
    }
    String open =
        draft.findings.holding().isEmpty()
            ? ""
            : "; " + draft.findings.holding().size() + " findings were open";
    draft.cutOpenCalls("the change was merged");
    draft.end(
        LoopPhase.STOPPED,
        "somebody merged the change at "
            + LoopEditor.shortened(snapshot.head())
            + " before the loop was done"
            + open);
  }

  private static void takeOver(LoopEditor draft, LoopFact.ForgeRead look) {
    ChangeSnapshot snapshot = look.snapshot();
    boolean current =
        draft
                .check
                .filter(it -> it.head().equals(snapshot.head()))
                .filter(it -> !look.begun().isBefore(it.since()))
                .isPresent()
            && snapshot.incomplete().isEmpty();
    if (!current) {
      // An incomplete look is never clean, and one that began before the answers were written may
      // miss them: the next look decides.
      return;
    }
    switch (draft.phase) {
      case CHECK -> {
        SnapshotRules.take(draft, snapshot);
        JudgeRules.settle(draft);
      }
      case LAND -> {
        SnapshotRules.take(draft, snapshot);
        goOnLanding(draft);
      }
      case PREPARE, IMPLEMENT, VERIFY, PUBLISH, ANSWER, FIX, SYNC, PARKED, DONE, STOPPED -> {}
    }
  }

  private static void goOnLanding(LoopEditor draft) {
    if (JudgeRules.isClean(draft)) {
      LandRules.tryMerge(draft);
    } else {
      draft.tell("something new was said before the merge");
      draft.enter(LoopPhase.CHECK);
      JudgeRules.settle(draft);
    }
  }

  static Outcome failed(LoopEditor draft, ForgeError error) {
    boolean asks =
        switch (draft.phase) {
          case PREPARE, PUBLISH, ANSWER, CHECK, SYNC, LAND -> draft.forge.isPresent();
          case IMPLEMENT, VERIFY, FIX, PARKED, DONE, STOPPED -> false;
        };
    if (!asks) {
      return new Outcome.Ignored("it does not wait for the forge");
    }
    switch (error) {
      case ForgeError.Unauthorized it -> PublishRules.parkForAuth(draft, it.message());
      case ForgeError.Forbidden it ->
          park(draft, ParkReason.FORGE_REFUSED, "the forge refuses: " + it.message());
      case ForgeError.NotFound it ->
          park(
              draft,
              draft.phase == LoopPhase.PREPARE ? ParkReason.NOT_PREPARED : ParkReason.CHANGE_CLOSED,
              "the forge does not have it (any more): " + it.message());
      case ForgeError.Limited _,
          ForgeError.Conflict _,
          ForgeError.Invalid _,
          ForgeError.Outage _ -> {
        return new Outcome.Ignored("the forge is asked again later");
      }
    }
    return DONE;
  }

  /** The commits of somebody else are part of the branch now. */
  static Outcome taken(LoopEditor draft, LoopFact.RemoteTaken fact) {
    if (draft.phase != LoopPhase.SYNC) {
      return new Outcome.Ignored("it takes nothing over");
    }
    draft.remote().setPushed(fact.remote());
    draft.head = Optional.of(fact.at().commit());
    draft.trees.add(fact.at().tree());
    draft.tell("took over what somebody pushed: " + LoopEditor.shortened(fact.remote()));
    PublishRules.afterWork(draft);
    return DONE;
  }

  static Outcome parentLanded(LoopEditor draft, String base) {
    if (draft.forge.isEmpty() || draft.phase.hasEnded() || draft.remote().base.equals(base)) {
      return new Outcome.Ignored("it has this base already");
    }
    ForgeEditor forge = draft.remote();
    draft.tell("the loop below has landed; the base is " + base + " now");
    if (forge.change.isPresent()) {
      draft.write(
          "edit/" + base,
          new ForgeAct.Edit(
              forge.change.get(), Optional.empty(), Optional.empty(), Optional.of(base)));
    }
    forge.base = base;
    return DONE;
  }
}
