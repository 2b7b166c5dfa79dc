package dev.midcourse.cli.screen;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * The process context of a command: streams and whether they are terminals, environment, working
 * folder, data folder. Commands read them only from here.
 *
 * @param launcher the program that starts Midcourse
 */
public record ShellContext(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Terminals terminals,
    Map<String, String> environment,
    Path folder,
    Path data,
    Optional<Path> launcher,
    InstantSource clock) {

  /**
   * Which of the three streams are terminals, what character set they show, and their size.
   *
   * @param unicode whether it can show more than ASCII
   */
  public record Terminals(
      boolean in, boolean out, boolean err, boolean unicode, int columns, int rows) {
    public static final Terminals NONE = new Terminals(false, false, false, true, 80, 24);

    /**
     * Parses the values that the launcher found.
     *
     * @param found the letters of the streams that are terminals, out of {@code ioe}, and {@code u}
     *     if they show Unicode
     * @param size rows and columns, with a space between them
     */
    public static Terminals of(String found, String size) {
      int space = size.indexOf(' ');
      int rows = space < 0 ? 0 : number(size.substring(0, space));
      int columns = space < 0 ? 0 : number(size.substring(space + 1));
      return new Terminals(
          found.indexOf('i') >= 0,
          found.indexOf('o') >= 0,
          found.indexOf('e') >= 0,
          found.indexOf('u') >= 0,
          columns > 0 ? columns : NONE.columns,
          rows > 0 ? rows : NONE.rows);
    }

    private static int number(String text) {
      try {
        return Integer.parseInt(text.strip());
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }

  /** Returns whether a user reads the output at a terminal and can type. */
  public boolean interactive() {
    return terminals.in() && terminals.out();
  }

  /** Returns an environment variable; empty if it is unset or has no text. */
  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  /** Returns the executable file with this name from the search path. */
  public Optional<Path> onPath(String program) {
    for (String folder : environment.getOrDefault("PATH", "").split(":", -1)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder).resolve(program);
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private boolean wantsColour() {
    return variable("NO_COLOR").isEmpty() && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /** Returns standard output, for results. */
  public TerminalOutput page() {
    return new TerminalOutput(
        out,
        terminals.out(),
        wantsColour() && terminals.out(),
        terminals.out() ? terminals.columns() : wantedColumns().orElse(terminals.columns()),
        terminals.out() || wantedColumns().isPresent(),
        signs());
  }

  /** Returns standard error, for messages. */
  public TerminalOutput notes() {
    return new TerminalOutput(
        err, terminals.err(), wantsColour() && terminals.err(), terminals.columns(), signs());
  }

  /** Returns the width that the user asks for in a pipe. */
  private Optional<Integer> wantedColumns() {
    return variable("COLUMNS")
        .filter(text -> text.matches("[1-9][0-9]{0,3}"))
        .map(Integer::valueOf);
  }

  private Glyphs signs() {
    boolean terminal = terminals.out() || terminals.err();
    return terminals.unicode() || !terminal ? Glyphs.UNICODE : Glyphs.ASCII;
  }
}
