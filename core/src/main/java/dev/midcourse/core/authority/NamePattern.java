package dev.midcourse.core.authority;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/**
 * A pattern for worker names: one exact name, or a prefix followed by {@code *}, which needs at
 * least one more character.
 */
public record NamePattern(String text) {
  private static final String RULE =
      "a name of letters, digits, '_' or '-', with a '*' at its end for many";
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}\\*?");

  public NamePattern {
    if (!SHAPE.matcher(text).matches()) {
      throw Problem.invalid("workers", RULE, WireNames.shown(text) + " is not " + RULE).refused();
    }
  }

  public static NamePattern of(String text) {
    return new NamePattern(text);
  }

  public boolean matches(String name) {
    return many()
        ? name.length() >= text.length() && name.startsWith(text.substring(0, text.length() - 1))
        : name.equals(text);
  }

  public boolean many() {
    return text.endsWith("*");
  }

  @Override
  public String toString() {
    return text;
  }
}
