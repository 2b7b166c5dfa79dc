package dev.midcourse.cli.screen;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * An output stream and its abilities. Text is coloured and cut only on a terminal, so that a pipe
 * gets plain and complete text.
 *
 * @param columns how wide the terminal is, or how wide the user wants the output in a pipe
 * @param bounded whether lines must fit that width: on a terminal, and in a pipe with COLUMNS
 */
public record TerminalOutput(
    PrintStream stream,
    boolean terminal,
    boolean coloured,
    int columns,
    boolean bounded,
    Glyphs glyphs) {

  /** Output that must fit its width on a terminal only. */
  public TerminalOutput(
      PrintStream stream, boolean terminal, boolean coloured, int columns, Glyphs glyphs) {
    this(stream, terminal, coloured, columns, terminal, glyphs);
  }

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
   * Returns the text, cut to the width that is left after {@code behind} columns; uncut in a pipe
   * without COLUMNS.
   */
  public String fit(String text, int behind) {
    return bounded ? DisplayWidth.shortened(text, Math.max(10, columns - behind)) : text;
  }

  /**
   * Returns the text in lines of the width that is left after {@code behind} columns, broken at
   * spaces; in one line in a pipe without COLUMNS. A word that is wider than a line is not cut.
   */
  public List<String> wrap(String text, int behind) {
    if (!bounded) {
      return List.of(text);
    }
    int width = Math.max(10, columns - behind);
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && DisplayWidth.of(longer) > width) {
        lines.add(line);
        longer = word;
      }
      line = longer;
    }
    lines.add(line);
    return List.copyOf(lines);
  }
}
