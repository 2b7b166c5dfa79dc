package dev.midcourse.cli.format;

import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;

/**
 * One event as text.
 *
 * @param text clean, perhaps of several lines
 * @param weight how much of it a reader wants
 */
public record EventLine(TextColor color, String text, Weight weight) {

  /** The readers of a line. */
  public enum Weight {
    /** For every reader. */
    NEWS,
    /** For readers of a complete log. */
    DETAIL
  }

  static EventLine news(TextColor color, String text) {
    return new EventLine(color, TextSanitizer.lines(text).strip(), Weight.NEWS);
  }

  static EventLine detail(String text) {
    return new EventLine(TextColor.DIM, TextSanitizer.lines(text).strip(), Weight.DETAIL);
  }
}
