package dev.midcourse.agents.process.attempt;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A program to start: the command, its complete environment (nothing is inherited), its working
 * directory and its mark.
 *
 * <p>A program without an absolute path is looked up in the {@code PATH} of the given environment.
 * {@code PWD}, {@code OLDPWD}, {@code SHLVL} and {@code _} are never passed on.
 */
public record Launch(
    List<String> command, Map<String, String> environment, Path directory, ProcessMarker mark) {

  /**
   * Matches the variable names that a POSIX shell passes on. A shell may drop other names without
   * an error.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public Launch {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    if (command.isEmpty() || command.getFirst().isBlank() || command.getFirst().startsWith("-")) {
      throw new IllegalArgumentException("command: the first word must be a program: " + command);
    }
    for (String word : command) {
      requireNoNul("command", word);
    }
    environment.forEach((name, value) -> {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("environment: not a variable name: '" + name + "'");
      }
      requireNoNul("environment: " + name, value);
    });
    if (environment.containsKey(ProcessMarker.VARIABLE)) {
      throw new IllegalArgumentException(
          "environment: " + ProcessMarker.VARIABLE + " comes from the mark");
    }
  }

  /** Returns the environment with the variable of the mark added. */
  public Map<String, String> markedEnvironment() {
    Map<String, String> marked = new TreeMap<>(environment);
    marked.put(ProcessMarker.VARIABLE, mark.token());
    return marked;
  }

  private static void requireNoNul(String field, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": holds a NUL character");
    }
  }
}
