package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.Parking;
import dev.midcourse.core.loop.PromptVersion;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What follows from the orders of people and leads. */
final class CommandRules {
  /** How much guidance may wait. */
  static final int MAX_HELD = 50;

  private static final int MAX_PROMPT_BYTES = RunSpec.MAX_PROMPT_BYTES / 4;

  private CommandRules() {}

  static Outcome apply(LoopEditor draft, LoopCommand command) {
    return switch (command) {
      case LoopCommand.Guide it -> guide(draft, it);
      case LoopCommand.WithdrawGuidance it -> withdraw(draft, it);
      case LoopCommand.Reword it -> reword(draft, it);
      case LoopCommand.Skip it -> skip(draft, it.author());
      case LoopCommand.Pause it -> pause(draft, it.author());
      case LoopCommand.Go it -> go(draft, it);
      case LoopCommand.Stop it -> stop(draft, it.author());
      case LoopCommand.Decide it -> decide(draft, it);
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

  private static Outcome guide(LoopEditor draft, LoopCommand.Guide command) {
    if (draft.phase.hasEnded()) {
      return hasEnded(draft);
    }
    if (draft.guidance.stream().anyMatch(it -> it.id().equals(command.id()))) {
      return new Outcome.Ignored("it is stored already");
    }
    if (draft.guidance.stream().filter(Guidance::isHeld).count() >= MAX_HELD) {
      return new Outcome.Refused(
          Problem.of(
              Code.LIMIT,
              "text",
              "at most " + MAX_HELD + " waiting",
              MAX_HELD + " steers of this loop wait already; withdraw one"));
    }
    String destination = draft.loop().destination(command.scope());
    draft.guidance.add(
        new Guidance(
            command.id(),
            command.author(),
            command.scope(),
            command.text(),
            draft.now,
            List.of(),
            Optional.empty()));
    giveToRunning(draft);
    draft.tell(by(command.author()) + " steers (" + command.id().shortened() + "), " + destination);
    if (draft.phase == LoopPhase.LAND && CheckRules.isHeldFor(draft, CallKind.FIX)) {
      CheckRules.fix(draft); // otherwise it would land without the guidance
    }
    return DONE;
  }

  /** Gives the newest guidance to the run that works, if it is meant for it. */
  private static void giveToRunning(LoopEditor draft) {
    int newest = draft.guidance.size() - 1;
    Guidance it = draft.guidance.get(newest);
    Optional<LoopCall> running = draft.loop().openWork();
    if (it.scope() == GuidanceScope.NOW && running.isPresent()) {
      int call = running.get().number();
      draft.bind(newest, call);
      draft.act(new LoopAct.GiveNow(it.id(), call, LoopEditor.steerOf(it, call)));
    }
  }

  private static Outcome withdraw(LoopEditor draft, LoopCommand.WithdrawGuidance command) {
    for (int i = 0; i < draft.guidance.size(); i++) {
      Guidance it = draft.guidance.get(i);
      if (!it.id().equals(command.id())) {
        continue;
      }
      if (it.ended().isPresent()) {
        return new Outcome.Refused(
            Problem.of(
                Code.TOO_LATE,
                "steer_id",
                "a steer that waits",
                "steer " + it.id().shortened() + " no longer waits: " + it.ended().get()));
      }
      if (!it.isHeld()) {
        LoopCall taker = draft.calls.get(it.bindings().getLast().call() - 1);
        return new Outcome.Refused(
            Problem.of(
                Code.TOO_LATE,
                "steer_id",
                "a steer that waits",
                "run "
                    + taker.run()
                    + " has it as steer "
                    + it.bindings().getLast().steer().shortened()
                    + "; withdraw that one"));
      }
      draft.guidance.set(i, it.endedBecause("withdrawn: " + command.why()));
      draft.tell(by(command.author()) + " withdrew steer " + it.id().shortened());
      return DONE;
    }
    return new Outcome.Refused(
        Problem.of(
            Code.NOT_FOUND,
            "steer_id",
            "a steer of this loop",
            "loop " + draft.from.id() + " has no steer " + command.id().shortened()));
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
    if (from == LoopPhase.CHECK && draft.check.isEmpty()) {
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
      case CHECK, LAND -> LoopPhase.CHECK;
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
        CheckRules.fix(draft);
        yield DONE;
      }
      case CHECK -> {
        CheckRules.resume(draft);
        yield DONE;
      }
      case PREPARE, LAND, PARKED, DONE, STOPPED ->
          new Outcome.Refused(
              Problem.invalid(
                  "from", "implement, fix or check", "a loop cannot go on from " + phase.wire()));
    };
  }

  private static Outcome skip(LoopEditor draft, Author author) {
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
    switch (parking.resume()) {
      case PREPARE -> {
        draft.enter(LoopPhase.PREPARE);
        draft.act(new LoopAct.Prepare());
      }
      case IMPLEMENT -> WorkRules.implement(draft);
      case FIX -> {
        boolean anythingToFix =
            !draft.findings.holding().isEmpty() || CheckRules.isHeldFor(draft, CallKind.FIX);
        if (anythingToFix) {
          CheckRules.fix(draft);
        } else {
          CheckRules.resume(draft);
        }
      }
      case LAND -> {
        draft.enter(LoopPhase.LAND);
        draft.act(new LoopAct.Merge(draft.head.orElseThrow()));
      }
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

  private static Outcome decide(LoopEditor draft, LoopCommand.Decide command) {
    Optional<Finding> finding = draft.findings.get(command.finding());
    if (finding.isEmpty()) {
      return new Outcome.Refused(
          Problem.of(
              Code.NOT_FOUND,
              "finding",
              "a finding of this loop",
              "loop " + draft.from.id() + " has no finding " + command.finding()));
    }
    if (finding.get().state().isSettled()) {
      return new Outcome.Refused(
          Problem.of(
              Code.TOO_LATE,
              "finding",
              "a finding that is open",
              command.finding() + " is " + finding.get().state().wire() + " already"));
    }
    if (command.why().isBlank() && command.decision() == FindingDecision.DROP) {
      return new Outcome.Refused(
          Problem.invalid("why", "a reason", "say why " + command.finding() + " is dropped"));
    }
    draft.findings = draft.findings.decided(command.finding(), command.decision(), command.why());
    draft.tell(
        by(command.author())
            + " decided about "
            + command.finding()
            + ": "
            + command.decision().wire()
            + (command.why().isBlank() ? "" : " (" + command.why() + ")"));
    boolean given =
        draft.loop().openWork().filter(it -> it.given().contains(command.finding())).isPresent();
    if (given) {
      return guide(
          draft,
          new LoopCommand.Guide(
              command.author(),
              command.notice(),
              GuidanceScope.NOW,
              SteerText.of(LoopPrompts.decision(command))));
    }
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
    return CheckRules.reviewedByPerson(draft, command);
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
      draft.enter(LoopPhase.LAND);
      draft.act(new LoopAct.Merge(draft.head.orElseThrow()));
    }
    return DONE;
  }

  private static Outcome hasEnded(LoopEditor draft) {
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

  private static String by(Author author) {
    return author.group() + " (" + author.origin() + ")";
  }
}
