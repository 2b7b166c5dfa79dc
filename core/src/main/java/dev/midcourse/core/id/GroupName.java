package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** Names a group: an identity that may ask for things. */
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
