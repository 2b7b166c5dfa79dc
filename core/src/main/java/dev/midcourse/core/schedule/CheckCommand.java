package dev.midcourse.core.schedule;

import dev.midcourse.core.Problem;

/**
 * A program that is called at a due time, before an agent is woken. Its last line of output is a
 * {@link CheckResult}.
 *
 * @param path the absolute path of the program, which takes no arguments
 */
public record CheckCommand(String path) {
  private static final String RULE = "the absolute path of a program";

  public CheckCommand {
    if (!path.startsWith("/") || path.indexOf('\0') >= 0 || path.length() > 4_096) {
      throw Problem.invalid("check", RULE, "check must be " + RULE).refused();
    }
  }
}
