package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.Suggestion;
import java.util.List;

/** The first operand of a command that has several forms, and the operands after it. */
record Subcommand(String command, String name, List<String> operands) {
  static final String LIST = "list";

  /** The operand that takes these words. */
  static Operand operand(String... names) {
    return new Operand(
        "ACTION", Operand.Count.OPTIONAL, Operand.Kind.VERB, String.join("|", names));
  }

  /** Reads the form; without one it is {@code list}. Refuses a word that is none. */
  static Subcommand of(Command command, ParsedArguments arguments) {
    List<String> all = arguments.operands();
    String name = all.isEmpty() ? LIST : all.getFirst();
    List<String> names = List.of(command.spec().operands().getFirst().words().split("\\|", -1));
    String title = command.spec().name();
    if (!names.contains(name)) {
      String hint =
          Suggestion.to(name, names)
              .map(near -> "did you mean: midcourse " + title + " " + near)
              .orElse("see midcourse help " + title);
      throw Failure.usage(
          title + ": expected one of " + String.join(", ", names) + ", got '" + name + "'", hint);
    }
    return new Subcommand(title, name, all.isEmpty() ? all : all.subList(1, all.size()));
  }

  /** Refuses another number of operands than these: {@code PERSON ROLE}. */
  Subcommand taking(String form) {
    int most = form.isEmpty() ? 0 : form.split(" ", -1).length;
    int least = most - (int) form.chars().filter(c -> c == '[').count();
    if (operands.size() < least || operands.size() > most) {
      throw Failure.usage(
          (command + " " + name + ": expected " + (form.isEmpty() ? "no arguments" : form)),
          "see midcourse help " + command);
    }
    return this;
  }

  String at(int place) {
    return operands.get(place);
  }
}
