package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.loop.PromptVersion;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What follows from the orders of people and leads. */
final class CommandRules {
  private static final int MAX_PROMPT_BYTES = RunSpec.MAX_PROMPT_BYTES / 4;

  private CommandRules() {}

  static Outcome apply(LoopEditor draft, LoopCommand command) {
    return switch (command) {
      case LoopCommand.Guide it -> GuidanceRules.guide(draft, it);
      case LoopCommand.WithdrawGuidance it -> GuidanceRules.withdraw(draft, it);
      case LoopCommand.Reword it -> reword(draft, it);
      case LoopCommand.Skip it -> skip(draft, it.author());
      case LoopCommand.Pause it -> pause(draft, it.author());
      case LoopCommand.Go it -> go(draft, it);
      case LoopCommand.Stop it -> stop(draft, it.author());
      case LoopCommand.Decide it -> GuidanceRules.decide(draft, it);
      case LoopCommand.Review it -> review(draft, it);
      case LoopCommand.Land it -> land(draft, it.author());
    };
  }

  /** Refuses a prompt that no run could have. */
  public static Optional<Problem> objection(String prompt) {
    if (prompt.isBlank()) {
      return Optional.of(Problem.invalid("prompt", "not blank", "the prompt is blank"));
    }
    boolean sound =
        !Utf8.longerThan(prompt, MAX_PROMPT_BYTES)
            && prompt.indexOf('\0') < 0
            && Utf8.isWhole(prompt);
    return sound
        ? Optional.empty()
        : Optional.of(
            Problem.invalid(
                "prompt",
                "plain text of at most 256 KiB",
                "the prompt is too long or not plain text"));
  }

  private static Outcome reword(LoopEditor draft, LoopCommand.Reword command) {
    Optional<Problem> objection = objection(command.prompt());
    if (objection.isPresent()) {
      return new Outcome.Refused(objection.get());
    }
    List<PromptVersion> prompts = new ArrayList<>(draft.prompts);
    int number = prompts.getLast().number() + 1;
    prompts.add(new PromptVersion(number, command.prompt(), command.author(), draft.now));
    LoopPhase from = command.from().orElseGet(() -> wordedFrom(draft));
    if (from == LoopPhase.FIX && draft.findings.holding().isEmpty()) {
      return new Outcome.Refused(
          Problem.invalid("from", "implement or check", "there is no finding to fix"));
    }
    boolean checkable = draft.check.isPresent() || draft.forge.isPresent();
    if (from == LoopPhase.CHECK && !checkable) {
      return new Outcome.Refused(
          Problem.invalid("from", "implement", "there is no commit to check yet"));
    }
    draft.prompts = List.copyOf(prompts);
    draft.tell(by(command.author()) + " reworded the task (version " + number + ")");
    boolean keepsWait = command.from().isEmpty() && draft.phase == LoopPhase.CHECK;
    if (keepsWait || draft.phase == LoopPhase.PREPARE) {
      return DONE;
    }
    draft.cutOpenCalls("the task was reworded");
    return enter(draft, from);
  }

  /** A new wording is for the work that goes on; a loop that rests does the task again. */
  private static LoopPhase wordedFrom(LoopEditor draft) {
    return switch (draft.phase) {
      case VERIFY, PUBLISH, ANSWER, CHECK, SYNC, LAND -> LoopPhase.CHECK;
      case FIX -> draft.findings.holding().isEmpty() ? LoopPhase.IMPLEMENT : LoopPhase.FIX;
      case PREPARE, IMPLEMENT, PARKED, DONE, STOPPED -> LoopPhase.IMPLEMENT;
    };
  }

  private static Outcome enter(LoopEditor draft, LoopPhase phase) {
    if (draft.phase.hasEnded() || draft.base.isEmpty()) {
      draft.enter(LoopPhase.PREPARE);
      draft.act(new LoopAct.Prepare());
      return DONE;
    }
    return switch (phase) {
      case IMPLEMENT -> {
        WorkRules.implement(draft);
        yield DONE;
      }
      case FIX -> {
        JudgeRules.fix(draft);
        yield DONE;
      }
      case CHECK -> {
        CheckRules.resume(draft);
        yield DONE;
      }
      case PREPARE, VERIFY, PUBLISH, ANSWER, SYNC, LAND, PARKED, DONE, STOPPED ->
          new Outcome.Refused(
              Problem.invalid(
                  "from", "implement, fix or check", "a loop cannot go on from " + phase.wire()));
    };
  }

  private static Outcome skip(LoopEditor draft, Author author) {
    boolean inVerify =
        draft.phase == LoopPhase.VERIFY
            || draft.parking.filter(it -> it.resume() == LoopPhase.VERIFY).isPresent();
    if (inVerify) {
      draft.tell("CI here was skipped by " + by(author));
      draft.cutOpenCalls("skipped by " + by(author));
      PublishRules.publish(draft);
      return DONE;
    }
    boolean waits =
        draft.phase == LoopPhase.CHECK
            || draft
                .parking
                .filter(it -> it.resume() == LoopPhase.CHECK)
                .filter(it ->
                    it.reason() == ParkReason.UNAVAILABLE || it.reason() == ParkReason.DEADLINE)
                .isPresent();
    if (!waits || draft.check.isEmpty()) {
      return new Outcome.Refused(
          Problem.invalid(
              "loop_id",
              "a loop that waits for a review or CI",
              "there is nothing to skip: loop " + draft.from.id() + " is " + draft.phase.wire()));
    }
    CheckRules.skipMissing(draft, by(author));
    return DONE;
  }

  private static Outcome pause(LoopEditor draft, Author author) {
    if (draft.phase.hasEnded()) {
      return hasEnded(draft);
    }
    if (draft.phase == LoopPhase.PARKED) {
      return new Outcome.Ignored("it waits for a person already");
    }
    LoopPhase phase = draft.phase;
    draft.cutOpenCalls("paused");
    draft.park(ParkReason.PAUSED, "paused by " + by(author) + "; go on when you like", phase);
    return DONE;
  }

  private static Outcome go(LoopEditor draft, LoopCommand.Go command) {
    if (draft.phase != LoopPhase.PARKED) {
      return draft.phase.hasEnded()
          ? hasEnded(draft)
          : new Outcome.Refused(
              Problem.invalid(
                  "loop_id",
                  "a loop that is parked",
                  "loop " + draft.from.id() + " is not parked: it is " + draft.phase.wire()));
    }
    Parking parking = draft.parking.orElseThrow();
    draft.budget = draft.budget.withMore(command.moreFixes(), command.moreReviews());
    if (parking.reason() == ParkReason.BUDGET && draft.spentTotal().isPresent()) {
      draft.budget = draft.budget.withoutTotals();
    }
    draft.holding.clear();
    draft.tell(by(command.author()) + " said: go on");
    boolean takesOver =
        draft.forge.isPresent()
            && parking.reason() == ParkReason.FOREIGN_CHANGE
            && draft.remote().pushed.isPresent();
    if (takesOver) {
      draft.enter(LoopPhase.SYNC);
      draft.remote().takesOver = true;
      draft.act(new LoopAct.TakeRemote());
      return DONE;
    }
    if (parking.reason() == ParkReason.RETARGETED) {
      draft.remote().base = draft.remote().seenBase;
    }
    switch (parking.resume()) {
      case PREPARE -> {
        draft.enter(LoopPhase.PREPARE);
        draft.act(new LoopAct.Prepare());
      }
      case IMPLEMENT -> WorkRules.implement(draft);
      case FIX -> {
        boolean anythingToFix =
            !draft.findings.holding().isEmpty() || JudgeRules.isHeldFor(draft, CallKind.FIX);
        if (anythingToFix) {
          JudgeRules.fix(draft);
        } else {
          CheckRules.resume(draft);
        }
      }
      case LAND -> LandRules.begin(draft);
      case VERIFY -> PublishRules.afterWork(draft);
      case PUBLISH -> PublishRules.publish(draft);
      case ANSWER -> PublishRules.answer(draft);
      case SYNC -> LandRules.sync(draft);
      case CHECK, PARKED, DONE, STOPPED -> CheckRules.resume(draft);
    }
    return DONE;
  }

  private static Outcome stop(LoopEditor draft, Author author) {
    if (draft.phase.hasEnded()) {
      return hasEnded(draft);
    }
    draft.cutOpenCalls("the loop was stopped");
    draft.end(LoopPhase.STOPPED, "stopped by " + by(author));
    return DONE;
  }

  private static Outcome review(LoopEditor draft, LoopCommand.Review command) {
    boolean waits =
        draft.phase == LoopPhase.CHECK
            || draft.parking.filter(it -> it.resume() == LoopPhase.CHECK).isPresent();
    if (!waits || draft.check.isEmpty()) {
      return new Outcome.Refused(
          Problem.invalid(
              "loop_id",
              "a loop that waits for a review",
              "loop " + draft.from.id() + " waits for no review: it is " + draft.phase.wire()));
    }
    String head = draft.check.get().head();
    boolean newest = Optional.of(head).equals(draft.head);
    if (command.head().length() < 7 || !head.startsWith(command.head()) || !newest) {
      return new Outcome.Refused(
          Problem.invalid(
              "head",
              "the commit that waits for the review",
              "the review is about "
                  + WireNames.shown(command.head())
                  + ", but "
                  + LoopEditor.shortened(draft.head.orElse(head))
                  + " waits for one"));
    }
    return VerdictRules.reviewedByPerson(draft, command);
  }

  private static Outcome land(LoopEditor draft, Author author) {
    if (draft.phase == LoopPhase.STOPPED) {
      return hasEnded(draft);
    }
    if (draft.land && draft.phase == LoopPhase.DONE) {
      return new Outcome.Ignored("it has landed already");
    }
    draft.land = true;
    draft.tell(by(author) + " wants it landed");
    if (draft.phase == LoopPhase.DONE) {
      LandRules.begin(draft);
    }
    return DONE;
  }

  static Outcome hasEnded(LoopEditor draft) {
    return new Outcome.Refused(
        Problem.of(
            Code.RUN_ENDED,
            "loop_id",
            "a loop that goes on",
            "loop "
                + draft.from.id()
                + " is "
                + draft.phase.wire()
                + " already; restart it first"));
  }

  static String by(Author author) {
    return author.group() + " (" + author.origin() + ")";
  }
}
