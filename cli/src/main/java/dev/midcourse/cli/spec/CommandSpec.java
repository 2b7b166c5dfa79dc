package dev.midcourse.cli.spec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The declaration of a command: the one source of its parser, its usage line, its help and its
 * completion.
 *
 * @param summary one line, for the list of commands
 * @param details further paragraphs, separated by a blank line
 * @param alternatives sets of options of which at most one may be given
 */
public record CommandSpec(
    String name,
    Group group,
    String summary,
    String details,
    List<Operand> operands,
    List<OptionSpec> options,
    List<List<OptionSpec>> alternatives,
    List<Example> examples) {
  private static final int MAX_USAGE_LENGTH = 92;

  public CommandSpec(
      String name,
      Group group,
      String summary,
      String details,
      List<Operand> operands,
      List<OptionSpec> options,
      List<Example> examples) {
    this(name, group, summary, details, operands, options, List.of(), examples);
  }

  /** Commands that are listed together. */
  public enum Group {
    RUNS("Runs"),
    STEERS("Steers"),
    CHATS("Chats"),
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

  /** A copy that allows at most one of these options. */
  public CommandSpec withAlternatives(OptionSpec... exclusive) {
    List<List<OptionSpec>> more = new ArrayList<>(alternatives);
    more.add(List.of(exclusive));
    return new CommandSpec(name, group, summary, details, operands, options, more, examples);
  }

  /**
   * The usage line: the command, its operands, its options. The last options are abbreviated to
   * {@code [OPTIONS]} if the line would be too long.
   */
  public String usage() {
    StringBuilder line = new StringBuilder("midcourse ").append(name);
    for (Operand operand : operands) {
      line.append(' ').append(operand.form());
    }
    List<String> forms = optionForms();
    int length = line.length() + forms.stream().mapToInt(form -> form.length() + 1).sum();
    if (length <= MAX_USAGE_LENGTH) {
      forms.forEach(form -> line.append(' ').append(form));
      return line.toString();
    }
    String rest = " [OPTIONS]";
    for (String form : forms) {
      if (line.length() + 1 + form.length() + rest.length() > MAX_USAGE_LENGTH) {
        break;
      }
      line.append(' ').append(form);
    }
    return line.append(rest).toString();
  }

  /** The options in brackets; alternatives share a pair. */
  private List<String> optionForms() {
    List<String> forms = new ArrayList<>();
    Set<OptionSpec> shown = new HashSet<>();
    for (OptionSpec option : options) {
      if (option.hidden()) {
        continue;
      }
      if (shown.contains(option)) {
        continue;
      }
      List<OptionSpec> together =
          alternatives.stream()
              .filter(exclusive -> exclusive.contains(option))
              .findFirst()
              .orElse(List.of(option));
      shown.addAll(together);
      forms.add(
          "[" + String.join(" | ", together.stream().map(OptionSpec::longForm).toList()) + "]");
    }
    return forms;
  }
}
