package dev.midcourse.core.id;

import java.util.regex.Pattern;

/**
 * The id of a steer: a UUID. Its first eight characters are enough for people. Agents use the whole
 * id as correlation id.
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

  /** Returns the part that people see and type. */
  public String shortened() {
    return value.substring(0, 8);
  }

  /**
   * Written by hand, because the JVM links a record's own method at its first use, which costs an
   * agent 20 ms at its start.
   */
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
