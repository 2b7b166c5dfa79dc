package dev.midcourse.cli.screen;

import dev.midcourse.core.text.VisibleText;

/**
 * Makes text from outside safe to show on a terminal: it cannot move the cursor, change colours,
 * turn the reading direction or hide text. The rules are those of {@link VisibleText}; this class
 * adds what lines of a terminal need.
 */
public final class TextSanitizer {
  private static final String TAB = "    ";

  private TextSanitizer() {}

  /** Returns a message on one line; line ends and tabs become spaces. */
  public static String line(String text) {
    return VisibleText.prose(text).replace('\n', ' ').replace('\t', ' ');
  }

  /** Returns a message with its line feeds; tabs become spaces. */
  public static String lines(String text) {
    return VisibleText.prose(text).replace("\t", TAB);
  }

  /**
   * Returns a command, a path or a question of an agent on one line: every character counts, also
   * line feeds and tabs.
   */
  public static String exactLine(String text) {
    return VisibleText.exactLine(text);
  }

  /** Returns a command or a question of an agent with its line feeds; tabs become spaces. */
  public static String exactLines(String text) {
    return VisibleText.exact(text).replace("\t", TAB);
  }
}
