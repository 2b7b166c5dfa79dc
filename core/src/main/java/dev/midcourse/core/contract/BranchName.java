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
  static final String WORKER_SHAPE = "jarvis-[A-Za-z0-9._-]+(/[A-Za-z0-9_][A-Za-z0-9._-]*)*";
  static final String RULE =
      "a branch name of letters, digits, '.', '_', '-' and '/' between, without '..'";
  static final String WORKER_RULE = "jarvis-<feature>: 'jarvis-' and " + RULE;
  static final int MAX_LENGTH = 200;
  private static final Pattern ANY = Pattern.compile(SHAPE);
  private static final Pattern OF_A_WORKER = Pattern.compile(WORKER_SHAPE);

  /** Parses the name of any branch. */
  public static BranchName of(String text) {
    return checked(text, ANY, "base_branch", RULE);
  }

  /** Parses the name of a branch on which a worker may work. */
  public static BranchName ofWorker(String text) {
    return checked(text, OF_A_WORKER, "branch", WORKER_RULE);
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
