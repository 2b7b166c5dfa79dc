package dev.midcourse.cli.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Shell completion scripts, made from the specs. They complete commands, options, listed values,
 * files, and the names of runs, agents, workers, chats and people, which they request from the hub.
 */
public final class ShellCompletion {
  /** The command that prints candidates; its operand is one of the kinds below. */
  public static final String COMMAND = "__complete";

  public static final String LIVE_RUNS = "live-runs";
  public static final String RUNS = "runs";
  public static final String AGENTS = "agents";
  public static final String WORKERS = "workers";
  public static final String CHATS = "chats";
  public static final String PEOPLE = "people";

  private final List<CommandSpec> specs;

  public ShellCompletion(List<CommandSpec> specs) {
    this.specs = List.copyOf(specs);
  }

  public String bash() {
    StringBuilder out = new StringBuilder();
    out.append("# Completion of midcourse for bash.\n");
    out.append("_midcourse() {\n");
    out.append("  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n");
    out.append("  local command=${COMP_WORDS[1]-} options='' values=''\n");
    out.append("  COMPREPLY=()\n");
    out.append("  if [ \"$COMP_CWORD\" -eq 1 ]; then\n");
    out.append("    COMPREPLY=($(compgen -W '").append(names()).append("' -- \"$current\"))\n");
    out.append("    return\n  fi\n");
    out.append("  case $command in\n");
    for (CommandSpec spec : specs) {
      bash(out, spec);
    }
    out.append("  esac\n");
    out.append("  case $current in\n");
    out.append("    -*) values=$options ;;\n");
    out.append("  esac\n");
    out.append("  COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n");
    out.append("}\n");
    out.append("complete -F _midcourse midcourse\n");
    return out.toString();
  }

  private void bash(StringBuilder out, CommandSpec spec) {
    out.append("    ").append(spec.name()).append(")\n");
    String names = all(spec).stream().map(OptionSpec::name).collect(Collectors.joining(" "));
    out.append("      options='").append(names).append("'\n");
    List<OptionSpec> valued = all(spec).stream().filter(OptionSpec::takesValue).toList();
    if (!valued.isEmpty()) {
      out.append("      case $before in\n");
      for (OptionSpec option : valued) {
        String forms = option.letter() == ' ' ? "" : " | -" + option.letter();
        out.append("        ").append(option.name()).append(forms).append(") ");
        out.append(bashValues(option)).append("; return ;;\n");
      }
      out.append("      esac\n");
    }
    String operands =
        operands(
            spec,
            question -> "$(\"${COMP_WORDS[0]}\" " + COMMAND + " " + question + " 2>/dev/null)");
    if (!operands.isEmpty()) {
      out.append("      values=\"").append(operands).append("\"\n");
    }
    out.append("      ;;\n");
  }

  private static String bashValues(OptionSpec option) {
    if (isFile(option)) {
      return "COMPREPLY=($(compgen -f -- \"$current\"))";
    }
    if (isAsked(option)) {
      return "COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" "
          + COMMAND
          + " "
          + candidates(option)
          + " 2>/dev/null)\" -- \"$current\"))";
    }
    return option.choices().isEmpty()
        ? ":"
        : "COMPREPLY=($(compgen -W '" + String.join(" ", option.choices()) + "' -- \"$current\"))";
  }

  public String zsh() {
    StringBuilder out = new StringBuilder();
    out.append("#compdef midcourse\n# Completion of midcourse for zsh.\n");
    for (String kind : List.of(LIVE_RUNS, RUNS, AGENTS, WORKERS, CHATS, PEOPLE)) {
      out.append(zshFunction(kind)).append("() { compadd -- $(midcourse ").append(COMMAND);
      out.append(' ').append(kind).append(" 2>/dev/null) }\n");
    }
    out.append("_midcourse() {\n");
    out.append("  if (( CURRENT == 2 )); then\n");
    out.append("    local -a commands=(\n");
    for (CommandSpec spec : specs) {
      String entry = spec.name() + ":" + spec.summary().replace(":", "\\:");
      out.append("      '").append(entry.replace("'", "'\\''")).append("'\n");
    }
    out.append("    )\n    _describe command commands\n    return\n  fi\n");
    out.append("  local command=$words[2]\n");
    out.append("  words=(\"${(@)words[2,-1]}\")\n  (( CURRENT-- ))\n");
    out.append("  case $command in\n");
    for (CommandSpec spec : specs) {
      zsh(out, spec);
    }
    out.append("  esac\n}\n");
    out.append("if [ \"$funcstack[1]\" = _midcourse ]; then _midcourse \"$@\"; ");
    out.append("else compdef _midcourse midcourse; fi\n");
    return out.toString();
  }

  private void zsh(StringBuilder out, CommandSpec spec) {
    out.append("    ").append(spec.name()).append(") _arguments -s");
    for (OptionSpec option : all(spec)) {
      String help = option.help().replace("'", "'\\''").replace("[", "(").replace("]", ")");
      String values = option.takesValue() ? ":" + option.value() + ":" + zshValues(option) : "";
      String text = "[" + help.replace(":", "\\:") + "]" + values + "'";
      if (option.letter() == ' ') {
        out.append(" \\\n      '").append(option.name()).append(text);
      } else {
        String both = "(-" + option.letter() + " " + option.name() + ")";
        out.append(" \\\n      '").append(both).append("'{-").append(option.letter());
        out.append(',').append(option.name()).append("}'").append(text);
      }
    }
    for (Operand operand : spec.operands()) {
      String place = operand.repeats() ? "*" : "";
      out.append(" \\\n      '").append(place).append(':').append(operand.name()).append(':');
      out.append(zshOperand(operand)).append("'");
    }
    out.append(" ;;\n");
  }

  private static String zshValues(OptionSpec option) {
    if (isFile(option)) {
      return "_files";
    }
    if (isAsked(option)) {
      return zshFunction(candidates(option));
    }
    return option.choices().isEmpty() ? " " : "(" + String.join(" ", option.choices()) + ")";
  }

  private String zshOperand(Operand operand) {
    return switch (operand.kind()) {
      case LIVE_RUN -> zshFunction(LIVE_RUNS);
      case RUN -> zshFunction(RUNS);
      case COMMAND -> "(" + names() + " exit-codes)";
      case SHELL -> "(bash zsh fish)";
      case CHAT -> zshFunction(CHATS);
      case PERSON -> zshFunction(PEOPLE);
      case WORKER -> zshFunction(WORKERS);
      case VERB -> "(" + String.join(" ", operand.verbs()) + ")";
      case STEER, TEXT -> " ";
    };
  }

  public String fish() {
    StringBuilder out = new StringBuilder();
    out.append("# Completion of midcourse for fish.\n");
    out.append("complete -c midcourse -f\n");
    for (CommandSpec spec : specs) {
      out.append("complete -c midcourse -n __fish_use_subcommand -a ").append(spec.name());
      out.append(" -d ").append(fishQuoted(spec.summary())).append('\n');
    }
    for (CommandSpec spec : specs) {
      fish(out, spec);
    }
    return out.toString();
  }

  private void fish(StringBuilder out, CommandSpec spec) {
    String head = "complete -c midcourse -n '__fish_seen_subcommand_from " + spec.name() + "'";
    for (OptionSpec option : all(spec)) {
      out.append(head).append(" -l ").append(option.name().substring(2));
      if (option.letter() != ' ') {
        out.append(" -s ").append(option.letter());
      }
      if (isFile(option)) {
        out.append(" -r -F");
      } else if (isAsked(option)) {
        String asked = "(midcourse " + COMMAND + " " + candidates(option) + " 2>/dev/null)";
        out.append(" -x -a ").append(fishQuoted(asked));
      } else if (!option.choices().isEmpty()) {
        out.append(" -x -a ").append(fishQuoted(String.join(" ", option.choices())));
      } else if (option.takesValue()) {
        out.append(" -x");
      }
      out.append(" -d ").append(fishQuoted(option.help())).append('\n');
    }
    String operands =
        operands(spec, question -> "(midcourse " + COMMAND + " " + question + " 2>/dev/null)");
    if (!operands.isEmpty()) {
      out.append(head).append(" -a ").append(fishQuoted(operands)).append('\n');
    }
  }

  private static String fishQuoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** The candidates for the operands: words, or a command that asks the hub. */
  private String operands(CommandSpec spec, Function<String, String> ask) {
    return spec.operands().stream()
        .map(operand ->
            switch (operand.kind()) {
              case LIVE_RUN -> ask.apply(LIVE_RUNS);
              case RUN -> ask.apply(RUNS);
              case COMMAND -> names() + " exit-codes";
              case SHELL -> "bash zsh fish";
              case CHAT -> ask.apply(CHATS);
              case PERSON -> ask.apply(PEOPLE);
              case WORKER -> ask.apply(WORKERS);
              case VERB -> String.join(" ", operand.verbs());
              case STEER, TEXT -> "";
            })
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private static String zshFunction(String kind) {
    return "_midcourse_" + kind.replace('-', '_');
  }

  /** Whether the values of the option are names that the hub knows. */
  private static boolean isAsked(OptionSpec option) {
    return !candidates(option).isEmpty();
  }

  private static String candidates(OptionSpec option) {
    return switch (option.name()) {
      case "--agent" -> AGENTS;
      case "--worker" -> WORKERS;
      default -> "";
    };
  }

  private static boolean isFile(OptionSpec option) {
    return option.value().equals("FILE") || option.value().equals("PATH");
  }

  private String names() {
    return specs.stream().map(CommandSpec::name).collect(Collectors.joining(" "));
  }

  private static List<OptionSpec> all(CommandSpec spec) {
    List<OptionSpec> all = new ArrayList<>(spec.options());
    all.removeIf(OptionSpec::hidden);
    all.addAll(CommandSpec.EVERYWHERE);
    return all;
  }
}
