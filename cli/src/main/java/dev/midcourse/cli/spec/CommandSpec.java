package dev.midcourse.cli.spec;

import java.util.List;

/**
 * What a command looks like to whoever types it: the one source of its parser, its help and its
 * completion.
 *
 * @param synopsis the line after the command's name in its usage
 * @param summary one line, for the list of commands
 * @param details what else there is to know; paragraphs with a blank line between them
 */
public record CommandSpec(
    String name,
    Group group,
    String synopsis,
    String summary,
    String details,
    List<Operand> operands,
    List<OptionSpec> options,
    List<Example> examples) {

  /** Commands that are listed together. */
  public enum Group {
    RUNS("Runs"),
    STEERS("Steers"),
    HUB("Hub"),
    MORE("Other");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /** Understood by every command. */
  public static final OptionSpec HELP = OptionSpec.flag("--help", "print this help").or('h');

  public static final OptionSpec VERBOSE = OptionSpec.flag("--verbose", "show error details");

  static final List<OptionSpec> EVERYWHERE = List.of(VERBOSE, HELP);
}
