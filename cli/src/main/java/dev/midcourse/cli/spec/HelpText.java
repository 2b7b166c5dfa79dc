package dev.midcourse.cli.spec;

import java.util.ArrayList;
import java.util.List;

/** The help, made from the specs: the list of all commands, and one page per command. */
public final class HelpText {
  private static final int WIDTH = 80;

  private HelpText() {}

  /** Returns the output of {@code midcourse help}. */
  public static String overview(List<CommandSpec> specs) {
    StringBuilder out = new StringBuilder();
    out.append("Midcourse runs coding agents and lets you steer them while they run.\n");
    out.append("\nUsage: midcourse COMMAND [OPTIONS] [ARGUMENTS]\n");
    int widest = specs.stream().mapToInt(spec -> spec.name().length()).max().orElse(0);
    for (CommandSpec.Group group : CommandSpec.Group.values()) {
      List<CommandSpec> members = specs.stream().filter(spec -> spec.group() == group).toList();
      if (members.isEmpty()) {
        continue;
      }
      out.append('\n').append(group.title()).append(":\n");
      for (CommandSpec spec : members) {
        entry(out, spec.name(), widest, spec.summary());
      }
    }
    out.append("\nRUN and STEER may be the start of an id; RUN may be - for the only live run.\n");
    out.append("Help: midcourse help COMMAND. Exit codes: midcourse help exit-codes.\n");
    return out.toString();
  }

  /** Returns the output of {@code midcourse help COMMAND}. */
  public static String of(CommandSpec spec) {
    StringBuilder out = new StringBuilder();
    out.append("Usage: ").append(spec.usage());
    out.append("\n\n").append(wrapped(capital(spec.summary()) + ".", 0)).append('\n');
    if (!spec.details().isBlank()) {
      for (String paragraph : spec.details().strip().split("\n\n", -1)) {
        out.append('\n').append(paragraph(paragraph)).append('\n');
      }
    }
    List<OptionSpec> options = new ArrayList<>(spec.options());
    options.removeIf(OptionSpec::hidden);
    options.addAll(CommandSpec.EVERYWHERE);
    int widest = options.stream().mapToInt(option -> option.form().length()).max().orElse(0);
    out.append("\nOptions:\n");
    for (OptionSpec option : options) {
      entry(out, option.form(), widest, helpOf(option));
    }
    if (!spec.examples().isEmpty()) {
      out.append("\nExamples:\n");
      for (Example example : spec.examples()) {
        out.append("  ").append(example.line()).append('\n');
        out.append("      ").append(wrapped(example.does(), 6)).append('\n');
      }
    }
    return out.toString();
  }

  private static String helpOf(OptionSpec option) {
    return option.choices().isEmpty()
        ? option.help()
        : option.help() + " (" + String.join(", ", option.choices()) + ")";
  }

  /** Returns a wrapped paragraph. A paragraph whose lines begin with a space keeps its lines. */
  private static String paragraph(String text) {
    return text.lines().allMatch(line -> line.startsWith(" "))
        ? text
        : wrapped(text.replace('\n', ' '), 0);
  }

  private static void entry(StringBuilder out, String name, int widest, String text) {
    int indent = widest + 4;
    out.append("  ").append(name).append(" ".repeat(indent - 2 - name.length()));
    out.append(wrapped(text, indent)).append('\n');
  }

  private static String wrapped(String text, int indent) {
    StringBuilder out = new StringBuilder();
    int column = indent;
    for (String word : text.split(" ", -1)) {
      if (column > indent && column + 1 + word.length() > WIDTH) {
        out.append('\n').append(" ".repeat(indent));
        column = indent;
      } else if (column > indent) {
        out.append(' ');
        column++;
      }
      out.append(word);
      column += word.length();
    }
    return out.toString();
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
