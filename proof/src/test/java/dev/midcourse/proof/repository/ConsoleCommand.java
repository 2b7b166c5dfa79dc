package dev.midcourse.proof.repository;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command that a document tells the reader to type, and the output it promises. In a block that
 * is marked `console`, a line that begins with `$ ` is a command and the lines below it are its
 * output; `...` stands for any text in a line, and alone on a line for any lines.
 *
 * @param line where it is in the document, counted from 1
 */
record ConsoleCommand(int line, String text, List<String> output) {
  private static final String WILDCARD = "...";

  ConsoleCommand {
    output = List.copyOf(output);
  }

  static List<ConsoleCommand> in(String markdown) {
    List<ConsoleCommand> commands = new ArrayList<>();
    boolean inBlock = false;
    int number = 0;
    for (String line : markdown.lines().toList()) {
      number++;
      if (line.startsWith("```")) {
        inBlock = !inBlock && line.equals("```console");
      } else if (inBlock && line.startsWith("$ ")) {
        commands.add(new ConsoleCommand(number, line.substring(2), List.of()));
      } else if (inBlock && !commands.isEmpty()) {
        commands.add(commands.removeLast().with(line));
      }
    }
    return commands;
  }

  /** Returns shell code in the document that no test would find. */
  static List<String> shellBlocksOutsideOfTests(String markdown) {
    return markdown.lines().filter(line -> line.matches("```(sh|bash|shell|zsh)")).toList();
  }

  boolean promises(String actual) {
    if (output.isEmpty()) {
      return true;
    }
    return pattern().matcher(actual.strip() + "\n").matches();
  }

  private Pattern pattern() {
    return Pattern.compile(
        output.stream().map(ConsoleCommand::patternOf).collect(Collectors.joining()));
  }

  private static String patternOf(String line) {
    if (line.strip().equals(WILDCARD)) {
      return "(?:.*\n)*";
    }
    return Stream.of(line.split(Pattern.quote(WILDCARD), -1))
        .map(Pattern::quote)
        .collect(Collectors.joining(".*", "", "\n"));
  }

  private ConsoleCommand with(String more) {
    return new ConsoleCommand(line, text, Stream.concat(output.stream(), Stream.of(more)).toList());
  }
}
