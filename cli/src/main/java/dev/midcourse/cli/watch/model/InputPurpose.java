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

  /** Returns the text in front of the line. */
  default String label() {
    return switch (this) {
      case Steer(String run, String mode) -> mode.replace('_', '-') + " " + run;
      case Restart(String run) -> "restart " + run;
      case Answer(String run, String _) -> "answer " + run;
      case Denial(String run, String _) -> "deny " + run + ", reason";
      case Edit(String _, String steer) -> "edit " + steer;
      case Filter() -> "filter";
    };
  }
}
