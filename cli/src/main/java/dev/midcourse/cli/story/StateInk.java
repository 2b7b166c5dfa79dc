package dev.midcourse.cli.story;

import dev.midcourse.cli.screen.Ink;

/** The colour of a run's state. */
public final class StateInk {
  private StateInk() {}

  public static Ink of(String state) {
    return switch (state) {
      case "running" -> Ink.CYAN;
      case "done" -> Ink.GREEN;
      case "review_requested", "stopped" -> Ink.YELLOW;
      case "failed", "failed_contract", "failed_timeout" -> Ink.RED;
      default -> Ink.PLAIN;
    };
  }
}
