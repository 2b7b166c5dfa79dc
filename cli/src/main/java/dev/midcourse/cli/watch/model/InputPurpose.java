package dev.midcourse.cli.watch.model;

/** The purpose of the line that the user is typing. */
public sealed interface InputPurpose {
  record Steer(String run, String mode) implements InputPurpose {}

  record Restart(String run) implements InputPurpose {}

  /** The answer to a question that wants words. */
  record Answer(String run, String ask) implements InputPurpose {}

  /** The reason of a denial. */
  record Denial(String run, String ask) implements InputPurpose {}

  record Edit(String run, String steer) implements InputPurpose {}

  record Filter() implements InputPurpose {}

  /** A line that was begun in the list of loops, to which the view returns. */
  sealed interface OfLoop extends InputPurpose {
    ViewMode.Loops back();
  }

  /**
   * A steer of a loop.
   *
   * @param goes where it goes if it is sent now
   */
  record LoopSteer(ViewMode.Loops back, String loop, String scope, String goes) implements OfLoop {}

  /** The reason of a decision about a finding. */
  record FindingReason(ViewMode.Loops back, String loop, String finding, String decision)
      implements OfLoop {}

  /** How many more fixes a loop gets. */
  record MoreFixes(ViewMode.Loops back, String loop) implements OfLoop {}

  /** The new wording of the task of a loop. */
  record LoopRestart(ViewMode.Loops back, String loop) implements OfLoop {}

  /** Returns the text in front of the line. */
  default String label() {
    return switch (this) {
      case Steer(String run, String mode) -> mode.replace('_', '-') + " " + run;
      case Restart(String run) -> "restart " + run;
      case Answer(String run, String _) -> "answer " + run;
      case Denial(String run, String _) -> "deny " + run + ", reason";
      case Edit(String _, String steer) -> "edit " + steer;
      case Filter() -> "filter";
      case LoopSteer it -> (it.scope().equals("now") ? "steer" : it.scope()) + ", " + it.goes();
      case FindingReason it -> it.decision() + " " + it.finding() + ", reason";
      case MoreFixes it -> "go on with " + it.loop() + ", more fixes";
      case LoopRestart it -> "restart " + it.loop();
    };
  }
}
