package dev.midcourse.core.text;

/**
 * Writes a text of a stranger into Markdown so that all of it is shown and none of it is markup.
 */
public final class MarkdownEscape {
  private static final String SPECIAL = "\\`*_[]<>~|";

  private MarkdownEscape() {}

  /** Puts a backslash before each character that may begin markup within a line. */
  public static String of(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          if (SPECIAL.indexOf(c) >= 0) {
            escaped.append('\\');
          }
          escaped.appendCodePoint(c);
        });
    return escaped.toString();
  }
}
