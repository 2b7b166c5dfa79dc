package dev.midcourse.core.chat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;

/**
 * A regular expression of a user. It is matched in time that grows linearly with the text, so no
 * expression can block the hub. A message matches if the expression is found anywhere in its text.
 */
public final class EngagePattern {
  /** Matches every message, also an empty one. */
  public static final EngagePattern ALWAYS = new EngagePattern(".");

  private static final int MAX_LENGTH = 1000;

  private final String text;
  private final Pattern compiled;

  private EngagePattern(String text) {
    this.text = text;
    this.compiled = Pattern.compile(text);
  }

  /** Compiles the expression; refuses one that is not valid with the reason. */
  public static EngagePattern of(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw Problem.invalid(
              "engage_pattern",
              "1 to 1000 characters",
              "engage_pattern must have 1 to 1000 characters; '.' engages with every message")
          .refused();
    }
    try {
      return text.equals(ALWAYS.text) ? ALWAYS : new EngagePattern(text);
    } catch (PatternSyntaxException wrong) {
      throw new RefusedException(
          Problem.of(
              Code.INVALID,
              "engage_pattern",
              "a regular expression in RE2 syntax",
              "engage_pattern "
                  + WireNames.shown(text)
                  + " is not a regular expression: "
                  + wrong.getDescription()),
          wrong);
    }
  }

  public boolean matches(String message) {
    return text.equals(".") || compiled.matcher(message).find();
  }

  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EngagePattern that && that.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
