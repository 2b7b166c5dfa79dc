package dev.midcourse.cli.spec;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.core.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of a command, parsed by its spec. Options may stand anywhere: {@code --name value},
 * {@code --name=value}, or short options together. {@code --} ends the options. An argument that
 * the spec does not declare is refused.
 */
public final class ParsedArguments {
  private final CommandSpec spec;
  private final Map<String, String> options = new HashMap<>();
  private final List<String> operands = new ArrayList<>();

  private ParsedArguments(CommandSpec spec) {
    this.spec = spec;
  }

  public static ParsedArguments parse(CommandSpec spec, List<String> words) {
    ParsedArguments arguments = new ParsedArguments(spec);
    arguments.read(words);
    if (!arguments.has(CommandSpec.HELP)) {
      arguments.checkOperands();
      arguments.checkAlternatives();
    }
    return arguments;
  }

  public boolean has(OptionSpec option) {
    return options.containsKey(option.name());
  }

  public Optional<String> value(OptionSpec option) {
    return Optional.ofNullable(options.get(option.name()));
  }

  public List<String> operands() {
    return List.copyOf(operands);
  }

  /** Returns the operand at this position, counted from 0. */
  public Optional<String> operand(int place) {
    return place < operands.size() ? Optional.of(operands.get(place)) : Optional.empty();
  }

  /** Returns the operands from this position on, as one text. */
  public Optional<String> text(int place) {
    return place < operands.size()
        ? Optional.of(String.join(" ", operands.subList(place, operands.size())))
        : Optional.empty();
  }

  private void read(List<String> words) {
    boolean onlyOperands = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (onlyOperands || word.length() < 2 || word.charAt(0) != '-') {
        operands.add(word);
      } else if (word.equals("--")) {
        onlyOperands = true;
      } else if (word.startsWith("--")) {
        i += longOption(word, words, i);
      } else {
        i += shortOptions(word, words, i);
      }
    }
  }

  /** Parses a long option and returns the number of following arguments that belong to it. */
  private int longOption(String word, List<String> words, int at) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    OptionSpec option = named(name).orElseThrow(() -> unknown(name));
    if (!option.takesValue()) {
      if (equals >= 0) {
        throw wrong(name + " does not take a value");
      }
      options.put(name, "");
      return 0;
    }
    if (equals >= 0) {
      put(option, word.substring(equals + 1));
      return 0;
    }
    put(option, following(option, words, at));
    return 1;
  }

  private int shortOptions(String word, List<String> words, int at) {
    for (int i = 1; i < word.length(); i++) {
      char letter = word.charAt(i);
      OptionSpec option = shortOption(letter).orElseThrow(() -> unknown("-" + letter));
      if (!option.takesValue()) {
        options.put(option.name(), "");
      } else if (i + 1 < word.length()) {
        put(option, word.substring(i + 1));
        return 0;
      } else {
        put(option, following(option, words, at));
        return 1;
      }
    }
    return 0;
  }

  private String following(OptionSpec option, List<String> words, int at) {
    if (at + 1 >= words.size()) {
      throw wrong(option.name() + " requires a value: " + option.name() + " " + option.value());
    }
    return words.get(at + 1);
  }

  private void put(OptionSpec option, String value) {
    if (!option.choices().isEmpty() && !option.choices().contains(value)) {
      throw wrong(
          option.name()
              + ": expected one of "
              + String.join(", ", option.choices())
              + ", got '"
              + value
              + "'");
    }
    options.put(option.name(), value);
  }

  private void checkAlternatives() {
    for (List<OptionSpec> exclusive : spec.alternatives()) {
      if (exclusive.stream().filter(this::has).count() > 1) {
        List<String> names = exclusive.stream().map(OptionSpec::name).toList();
        throw Failure.usage(
            spec.name()
                + ": "
                + String.join(", ", names.subList(0, names.size() - 1))
                + " and "
                + names.getLast()
                + " cannot be used together",
            "use only one of them");
      }
    }
  }

  private void checkOperands() {
    List<Operand> wanted = spec.operands();
    boolean open = !wanted.isEmpty() && wanted.getLast().repeats();
    if (!open && operands.size() > wanted.size()) {
      throw wrong("unexpected argument '" + operands.get(wanted.size()) + "'");
    }
    for (int i = operands.size(); i < wanted.size(); i++) {
      if (wanted.get(i).required()) {
        throw wrong("missing argument " + wanted.get(i).name());
      }
    }
  }

  private Optional<OptionSpec> named(String name) {
    return all().stream().filter(option -> option.name().equals(name)).findFirst();
  }

  private Optional<OptionSpec> shortOption(char letter) {
    return all().stream().filter(o -> o.letter() == letter && letter != ' ').findFirst();
  }

  private List<OptionSpec> all() {
    List<OptionSpec> all = new ArrayList<>(spec.options());
    all.addAll(CommandSpec.EVERYWHERE);
    return all;
  }

  private Failure unknown(String name) {
    Optional<String> near = Suggestion.to(name, all().stream().map(OptionSpec::name).toList());
    boolean takesText =
        spec.operands().stream().anyMatch(operand -> operand.kind() == Operand.Kind.TEXT);
    String hint =
        near.map(other -> "did you mean " + other + "? ")
            .orElse(takesText ? "put -- before text that starts with a dash; " : "");
    return Failure.usage(spec.name() + ": unknown option " + name, hint + seeHelp());
  }

  private Failure wrong(String what) {
    return Failure.usage(spec.name() + ": " + what, "usage: " + spec.usage() + "; " + seeHelp());
  }

  private String seeHelp() {
    return "see midcourse help " + spec.name();
  }
}
