package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The id of a run. The caller chooses it, or {@link Ids} creates it. */
public record RunId(String value) {
  private static final IdRule RULE =
      new IdRule(
          "run_id",
          Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*"),
          64,
          "1 to 64 letters, digits, '.', '_' or '-', starting with a letter or digit, without '..'");

  public RunId {
    RULE.check(value);
  }

  public static RunId of(String text) {
    return new RunId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
