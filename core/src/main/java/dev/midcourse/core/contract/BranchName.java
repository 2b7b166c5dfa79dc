package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/**
 * The name of a git branch. It follows the rules of git, and it is never an option or a path out of
 * a folder.
 */
public record BranchName(String value) {
  static final String SHAPE = "[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*";
  static final String RULE =
      "a branch name of letters, digits, '.', '_', '-' and '/' between, without '..'";
  static final int MAX_LENGTH = 200;
  private static final Pattern ANY = Pattern.compile(SHAPE);

  /** Parses the name of any branch. */
  public static BranchName of(String text) {
    return checked(text, ANY, "base_branch", RULE);
  }

  /** Parses the name of a branch on which a worker may work; a blank prefix allows any. */
  public static BranchName ofWorker(String text, String prefix) {
    return checked(text, Pattern.compile(workerShape(prefix)), "branch", workerRule(prefix));
  }

  static String workerShape(String prefix) {
    return prefix.isEmpty()
        ? SHAPE
        : literal(prefix) + "[A-Za-z0-9._-]+(/[A-Za-z0-9_][A-Za-z0-9._-]*)*";
  }

  static String workerRule(String prefix) {
    return prefix.isEmpty() ? RULE : prefix + "<feature>: '" + prefix + "' and " + RULE;
  }

  /** The prefix as a regular expression that JSON Schema and Java read in the same way. */
  private static String literal(String prefix) {
    return prefix.replace(".", "\\.");
  }

  private static BranchName checked(String text, Pattern shape, String field, String rule) {
    boolean sound =
        text.length() <= MAX_LENGTH
            && shape.matcher(text).matches()
            && !text.contains("..")
            && !text.endsWith(".")
            && !(text + "/").contains(".lock/");
    if (!sound) {
      throw Problem.invalid(
              field, rule, field + " must be " + rule + "; got " + WireNames.shown(text))
          .refused();
    }
    return new BranchName(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
