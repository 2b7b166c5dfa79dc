package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** An idempotency key. Requests with the same key have one effect. */
public record IdempotencyKey(String value) {
  private static final IdRule RULE =
      new IdRule(
          "key", Pattern.compile("[!-~]+"), 128, "1 to 128 visible ASCII characters without '..'");

  public IdempotencyKey {
    RULE.check(value);
  }

  public static IdempotencyKey of(String text) {
    return new IdempotencyKey(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
