package dev.midcourse.core.loop.step;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Transition;
import dev.midcourse.core.loop.Loop;
import java.time.Instant;

/**
 * What a loop does next: a total function from a loop and a fact to the next loop and the acts that
 * follow.
 *
 * <ul>
 *   <li>A loop is done only on a verdict about its newest commit. An error, a timeout or a report
 *       about another commit is never clean; what a person skipped is named in the result.
 *   <li>A budget is tested before a call begins, and counts over all rounds.
 *   <li>Guidance is taken by a call in the step that creates the call.
 *   <li>A fact about a call that is no longer open changes nothing.
 * </ul>
 */
public final class LoopStep {
  private LoopStep() {}

  public static Transition<LoopChange> apply(Loop loop, LoopFact fact, Instant now) {
    LoopEditor draft = new LoopEditor(loop, now);
    Outcome outcome =
        switch (fact) {
          case LoopFact.Happened happened -> WorkRules.apply(draft, happened);
          case LoopCommand command -> CommandRules.apply(draft, command);
        };
    return switch (outcome) {
      case Outcome.Done _ -> new Transition.Changed<>(draft.change());
      case Outcome.Ignored(String why) -> new Transition.Stale<>(why);
      case Outcome.Refused(Problem problem) -> new Transition.Rejected<>(problem);
    };
  }

  /** Whether the rules for a fact have changed the draft. */
  sealed interface Outcome {
    Outcome DONE = new Done();

    record Done() implements Outcome {}

    record Ignored(String why) implements Outcome {}

    record Refused(Problem problem) implements Outcome {}
  }
}
