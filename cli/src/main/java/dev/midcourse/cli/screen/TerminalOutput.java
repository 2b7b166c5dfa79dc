package dev.midcourse.cli.screen;

import java.io.PrintStream;

/**
 * An output stream and its abilities. Text is coloured and cut only on a terminal, so that a pipe
 * gets plain and complete text.
 *
 * @param columns how wide the terminal is; means nothing elsewhere
 */
public record TerminalOutput(
    PrintStream stream, boolean terminal, boolean coloured, int columns, Glyphs glyphs) {

  public String paint(TextColor color, String text) {
    return coloured ? color.paint(text) : text;
  }

  /** Prints a line that is already sanitized. */
  public void line(String text) {
    stream.print(text);
    stream.print('\n');
    stream.flush();
  }

  /** Prints text from outside: sanitized on a terminal, unchanged in a pipe. */
  public void foreign(String text) {
    String shown = terminal ? TextSanitizer.lines(text) : text;
    stream.print(shown);
    if (!shown.endsWith("\n")) {
      stream.print('\n');
    }
    stream.flush();
  }

  /**
   * Returns the text, cut to the width that is left after {@code behind} columns; uncut in a pipe.
   */
  public String fit(String text, int behind) {
    return terminal ? DisplayWidth.shortened(text, Math.max(10, columns - behind)) : text;
  }
}
