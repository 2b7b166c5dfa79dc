package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** An idempotency key: one key, one effect. */
public record Key(String value) {
  private static final IdRule RULE =
      new IdRule(
          "key", Pattern.compile("[!-~]+"), 128, "1 to 128 visible ASCII characters without '..'");

  public Key {
    RULE.check(value);
  }

  public static Key of(String text) {
    return new Key(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
