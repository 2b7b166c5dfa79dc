package dev.midcourse.core.id;

import java.util.regex.Pattern;

/**
 * The id of an autopilot loop. Midcourse makes it of the first words of the prompt, as for a run.
 */
public record LoopId(String value) {
  private static final IdRule RULE =
      new IdRule(
          "loop_id",
          Pattern.compile("[a-z0-9][a-z0-9-]*"),
          40,
          "1 to 40 lower-case letters, digits or '-', starting with a letter or digit");

  public LoopId {
    RULE.check(value);
  }

  public static LoopId of(String text) {
    return new LoopId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
