package dev.midcourse.cli.screen;

import java.io.PrintStream;

/**
 * A stream to print on, and what it can show. Colour and shortening happen only on a terminal, so
 * that whatever reads a pipe gets plain and whole text.
 *
 * @param columns how wide the terminal is; means nothing elsewhere
 */
public record TerminalOutput(
    PrintStream stream, boolean terminal, boolean coloured, int columns, Glyphs glyphs) {

  public String paint(TextColor color, String text) {
    return coloured ? color.paint(text) : text;
  }

  /** A line that is already clean. */
  public void line(String text) {
    stream.print(text);
    stream.print('\n');
    stream.flush();
  }

  /** Text from elsewhere: made safe for a terminal, and passed on as it is to a pipe. */
  public void foreign(String text) {
    String shown = terminal ? TextSanitizer.lines(text) : text;
    stream.print(shown);
    if (!shown.endsWith("\n")) {
      stream.print('\n');
    }
    stream.flush();
  }

  /** The text cut to what is left of a line behind so many columns; whole in a pipe. */
  public String fit(String text, int behind) {
    return terminal ? DisplayWidth.shortened(text, Math.max(10, columns - behind)) : text;
  }
}
