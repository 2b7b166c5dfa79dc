package dev.midcourse.cli.watch;

/** What a line that is being typed is for. */
sealed interface Purpose {
  record Steer(String run, String mode) implements Purpose {}

  record Restart(String run) implements Purpose {}

  record Answer(String run, String ask) implements Purpose {}

  record Edit(String run, String steer) implements Purpose {}

  record Filter() implements Purpose {}

  /** In front of the line. */
  default String label() {
    return switch (this) {
      case Steer(String run, String mode) -> mode.replace('_', '-') + " " + run;
      case Restart(String run) -> "restart " + run;
      case Answer(String run, String _) -> "answer " + run;
      case Edit(String _, String steer) -> "edit " + steer;
      case Filter() -> "filter";
    };
  }
}
