package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The name of a group, which is an identity that can make requests. */
public record GroupName(String value) {
  private static final IdRule RULE =
      new IdRule(
          "group",
          Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*"),
          64,
          "1 to 64 letters, digits, '_' or '-', starting with a letter or digit");

  public GroupName {
    RULE.check(value);
  }

  public static GroupName of(String text) {
    return new GroupName(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
