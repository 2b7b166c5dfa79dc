package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The name of a hub process that may own runs. */
public record HostName(String value) {
  private static final IdRule RULE =
      new IdRule(
          "host",
          Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*"),
          128,
          "1 to 128 letters, digits, '.', '_' or '-'");

  public HostName {
    RULE.check(value);
  }

  public static HostName of(String text) {
    return new HostName(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
