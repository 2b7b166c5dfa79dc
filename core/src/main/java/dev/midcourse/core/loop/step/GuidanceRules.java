package dev.midcourse.core.loop.step;

import static dev.midcourse.core.loop.step.LoopStep.Outcome.DONE;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.loop.step.LoopStep.Outcome;
import dev.midcourse.core.steer.SteerText;
import java.util.List;
import java.util.Optional;

/** What follows from the guidance and the decisions that people give. */
final class GuidanceRules {
  /** How much guidance may wait. */
  static final int MAX_HELD = 50;

  private GuidanceRules() {}

  static Outcome guide(LoopEditor draft, LoopCommand.Guide command) {
    Optional<Guidance> stored =
        draft.guidance.stream().filter(it -> it.id().equals(command.id())).findFirst();
    if (stored.isPresent()) {
      return isSame(stored.get(), command)
          ? new Outcome.Ignored("it is stored already")
          : new Outcome.Refused(
              Problem.of(
                  Code.KEY_CONFLICT,
                  "key",
                  "a key that was not used before",
                  "the key was used before with another text or scope"));
    }
    if (draft.phase.hasEnded()) {
      return CommandRules.hasEnded(draft);
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
    draft.tell(
        CommandRules.by(command.author())
            + " steers ("
            + command.id().shortened()
            + "), "
            + destination);
    boolean isLocal = draft.forge.isEmpty();
    if (isLocal && draft.phase == LoopPhase.LAND && JudgeRules.isHeldFor(draft, CallKind.FIX)) {
      JudgeRules.fix(draft); // otherwise it would land without the guidance
    }
    return DONE;
  }

  private static boolean isSame(Guidance stored, LoopCommand.Guide command) {
    return stored.text().equals(command.text()) && stored.scope() == command.scope();
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

  static Outcome withdraw(LoopEditor draft, LoopCommand.WithdrawGuidance command) {
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
      draft.tell(CommandRules.by(command.author()) + " withdrew steer " + it.id().shortened());
      return DONE;
    }
    return new Outcome.Refused(
        Problem.of(
            Code.NOT_FOUND,
            "steer_id",
            "a steer of this loop",
            "loop " + draft.from.id() + " has no steer " + command.id().shortened()));
  }

  static Outcome decide(LoopEditor draft, LoopCommand.Decide command) {
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
        CommandRules.by(command.author())
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
}
