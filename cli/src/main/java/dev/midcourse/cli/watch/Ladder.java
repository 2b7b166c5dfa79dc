package dev.midcourse.cli.watch;

import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.core.steer.Rung;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The rungs of a steer as a row of signs; one that was not claimed stays open, also below others.
 */
final class Ladder {
  /** Columns of the signs and of the longest word behind them. */
  static final int WIDTH = Rung.values().length + 1 + "superseded".length();

  /** The same with a rung for the word. */
  static final int USUAL_WIDTH = Rung.values().length + 1 + "injected".length();

  private final Set<String> claimed = new HashSet<>();
  private String highest = "";
  private String ended = "";

  void claim(String rung) {
    claimed.add(rung);
    highest = rung;
  }

  void end(String how) {
    ended = how;
  }

  String signs(Signs signs) {
    StringBuilder row = new StringBuilder();
    for (Rung rung : Rung.values()) {
      boolean reached = claimed.contains(rung.name().toLowerCase(Locale.ROOT));
      row.append(reached ? signs.reached() : signs.ahead());
    }
    return row + " " + (ended.isEmpty() || ended.equals("answered") ? highest : ended);
  }

  Ink ink() {
    return switch (ended) {
      case "" -> Ink.BLUE;
      case "answered" -> Ink.GREEN;
      default -> Ink.YELLOW;
    };
  }
}
