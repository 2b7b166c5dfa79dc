package dev.midcourse.core.id;

import java.util.regex.Pattern;

/**
 * Names a steer; a random UUID, so that its first eight characters are enough for people and the
 * whole of it serves agents as correlation id.
 */
public record SteerId(String value) {
  private static final IdRule RULE =
      new IdRule(
          "steer_id",
          Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
          36,
          "a UUID in lower case");

  public SteerId {
    RULE.check(value);
  }

  public static SteerId of(String text) {
    return new SteerId(text);
  }

  /** The part people see and type. */
  public String shortened() {
    return value.substring(0, 8);
  }

  /** By hand, since a record's own is made at its first use: 20 ms of a young agent's time. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SteerId steer && value.equals(steer.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value;
  }
}
