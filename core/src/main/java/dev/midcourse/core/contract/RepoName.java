package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/** The name of a repository on its host: {@code owner/name}. Neither part is ever a path. */
public record RepoName(String owner, String name) {
  static final String SHAPE = "[A-Za-z0-9_][A-Za-z0-9_.-]*/[A-Za-z0-9_.][A-Za-z0-9_.-]*";
  static final String RULE = "owner/repo, of letters, digits, '_', '.' or '-', without '..'";
  private static final int MAX_LENGTH = 140;
  private static final Pattern PATTERN = Pattern.compile(SHAPE);

  public static RepoName of(String text) {
    boolean sound =
        text.length() <= MAX_LENGTH
            && PATTERN.matcher(text).matches()
            && !text.contains("..")
            && !text.endsWith("/.")
            && !text.endsWith("/.git");
    if (!sound) {
      throw Problem.invalid("repo", RULE, "repo must be " + RULE + "; got " + WireNames.shown(text))
          .refused();
    }
    int slash = text.indexOf('/');
    return new RepoName(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public String toString() {
    return owner + "/" + name;
  }
}
