package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.ReviewScope;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import java.util.Optional;

/** A clean branch is merged: here by git, or by the forge. */
final class LandRules {
  private LandRules() {}

  /** Begins to land the newest commit. A forge is asked to merge after a quiet time. */
  static void begin(LoopEditor draft) {
    draft.enter(LoopPhase.LAND);
    if (draft.forge.isEmpty()) {
      draft.act(new LoopAct.Merge(draft.head.orElseThrow()));
      return;
    }
    LoopSpec spec = draft.from.spec();
    draft.remote().quietFrom = Optional.of(draft.now);
    draft.check =
        draft.check.map(it ->
            it.withDue(draft.now.plus(spec.reviewTimeout()), draft.now.plus(spec.ciTimeout())));
    draft.tell("clean; it is merged when nothing happens for a while");
    draft.act(new LoopAct.Look());
  }

  static Outcome landed(LoopEditor draft, String commit) {
    if (draft.phase != LoopPhase.LAND) {
      return new Outcome.Ignored("it does not land");
    }
    end(draft, LoopEditor.shortened(commit));
    return DONE;
  }

  private static void end(LoopEditor draft, String as) {
    draft.end(
        LoopPhase.DONE,
        JudgeRules.cleanSentence(draft) + "; landed on " + base(draft) + " as " + as);
  }

  /** The branch that gets the work. */
  static String base(LoopEditor draft) {
    return draft.forge.map(it -> it.base).orElse(draft.from.spec().base().value());
  }

  /** The merge commit is a new one: nobody has reviewed or tested it. */
  static Outcome baseMerged(LoopEditor draft, CommitState at) {
    if (draft.phase != LoopPhase.LAND && draft.phase != LoopPhase.SYNC) {
      return new Outcome.Ignored("it does not land");
    }
    draft.head = Optional.of(at.commit());
    draft.trees.add(at.tree());
    draft.tell(base(draft) + " had moved; it was merged into the branch");
    if (draft.forge.isPresent()) {
      PublishRules.afterWork(draft);
    } else {
      CheckRules.begin(draft, ReviewScope.WHOLE);
    }
    return DONE;
  }

  static Outcome notLanded(LoopEditor draft, LoopFact.NotLanded fact) {
    if (draft.phase != LoopPhase.LAND && draft.phase != LoopPhase.SYNC) {
      return new Outcome.Ignored("it does not land");
    }
    if (fact.findings().isEmpty()) {
      draft.park(ParkReason.CONFLICT, fact.why(), draft.phase);
      return DONE;
    }
    draft.tell("not landed: " + fact.why());
    int round = draft.check.map(LoopCheck::round).orElse(0);
    draft.findings = draft.findings.afterLook(Finding.MERGE, fact.findings(), round, _ -> true);
    JudgeRules.fix(draft);
    return DONE;
  }

  static Outcome baseUnchanged(LoopEditor draft) {
    if (draft.phase != LoopPhase.SYNC) {
      return new Outcome.Ignored("it does not wait for its base");
    }
    draft.park(
        ParkReason.CONFLICT,
        "the forge does not merge the change, although "
            + base(draft)
            + " has nothing that the branch has not; look at its rules, then go on",
        LoopPhase.LAND);
    return DONE;
  }

  /** Merges the base into the branch. */
  static void sync(LoopEditor draft) {
    draft.enter(LoopPhase.SYNC);
    draft.remote().takesOver = false;
    draft.act(new LoopAct.Sync());
  }

  /** Asks the forge to merge, if it is time and the forge would do it. */
  static void tryMerge(LoopEditor draft) {
    ForgeEditor forge = draft.remote();
    if (forge.quietFrom.isPresent() || !forge.awaited.isEmpty()) {
      return;
    }
    String head = draft.head.orElseThrow();
    if (forge.draft) {
      makeReady(draft, head);
      return;
    }
    switch (forge.mergeability) {
      case YES, UNKNOWN -> {
        draft.tell("asks the forge to merge " + LoopEditor.shortened(head));
        draft.write("merge/" + head, new ForgeAct.Merge(forge.change.orElseThrow(), head));
      }
      case CONFLICT, BEHIND -> sync(draft);
      case BLOCKED -> {} // until the time is over, and then a person is asked
    }
  }

  private static void makeReady(LoopEditor draft, String head) {
    boolean ours = draft.from.spec().forge().filter(ForgeOrder::draft).isPresent();
    if (ours) {
      draft.write("ready/" + head, new ForgeAct.MarkReady(draft.remote().change.orElseThrow()));
    } else {
      draft.park(
          ParkReason.FORGE_REFUSED,
          "somebody made the change a draft; mark it ready, then go on",
          LoopPhase.LAND);
    }
  }

  /** The forge has merged the change. */
  static void merged(LoopEditor draft) {
    if (draft.phase == LoopPhase.LAND) {
      end(draft, LoopEditor.shortened(draft.head.orElseThrow()));
    }
  }

  static void notMerged(LoopEditor draft, ForgeError error) {
    if (draft.phase != LoopPhase.LAND) {
      return;
    }
    if (error instanceof ForgeError.Conflict) {
      draft.tell("not merged: " + error.message());
      sync(draft);
    } else {
      draft.park(
          ParkReason.FORGE_REFUSED,
          "the forge does not merge the change: " + error.message() + "; go on to try again",
          LoopPhase.LAND);
    }
  }

  /** The quiet time, or the whole time for landing, may be over. */
  static Outcome timePassed(LoopEditor draft) {
    ForgeEditor forge = draft.remote();
    LoopSpec spec = draft.from.spec();
    if (forge.quietFrom.isPresent()) {
      boolean over =
          !draft.now.isBefore(forge.quietFrom.get().plus(spec.forge().orElseThrow().quiet()));
      if (!over) {
        return new Outcome.Ignored("no time has passed");
      }
      forge.quietFrom = Optional.empty();
      draft.act(new LoopAct.Look());
      return DONE;
    }
    if (draft.now.isBefore(draft.check.orElseThrow().reviewDue())) {
      return new Outcome.Ignored("no time has passed");
    }
    draft.park(
        ParkReason.DEADLINE,
        "the forge has not merged the change in time ("
            + forge.mergeability.name().toLowerCase(java.util.Locale.ROOT)
            + "); look at its rules, then go on",
        LoopPhase.LAND);
    return DONE;
  }
}
