package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.steer.Rung;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Draws the rungs of a steer as a row of signs. A rung that is not claimed stays open, also below
 * claimed rungs.
 */
final class ReceiptLadder {
  /** Columns of the signs and of the longest word after them. */
  static final int WIDTH = Rung.values().length + 1 + "superseded".length();

  /** Columns of the signs and of the longest name of a rung. */
  static final int DEFAULT_WIDTH = Rung.values().length + 1 + "injected".length();

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

  String signs(Glyphs glyphs) {
    StringBuilder row = new StringBuilder();
    for (Rung rung : Rung.values()) {
      boolean reached = claimed.contains(rung.name().toLowerCase(Locale.ROOT));
      row.append(reached ? glyphs.reached() : glyphs.ahead());
    }
    return row + " " + (ended.isEmpty() || ended.equals("answered") ? highest : ended);
  }

  TextColor ink() {
    return switch (ended) {
      case "" -> TextColor.BLUE;
      case "answered" -> TextColor.GREEN;
      default -> TextColor.YELLOW;
    };
  }
}
