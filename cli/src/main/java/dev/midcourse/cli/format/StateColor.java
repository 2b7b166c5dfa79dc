package dev.midcourse.cli.format;

import dev.midcourse.cli.screen.TextColor;

/** The colour of a run's state. */
public final class StateColor {
  private StateColor() {}

  public static TextColor of(String state) {
    return switch (state) {
      case "running" -> TextColor.CYAN;
      case "done" -> TextColor.GREEN;
      case "review_requested", "stopped" -> TextColor.YELLOW;
      case "failed", "failed_contract", "failed_timeout" -> TextColor.RED;
      default -> TextColor.PLAIN;
    };
  }
}
