package dev.midcourse.core.id;

import java.util.regex.Pattern;

/** The id of a schedule. Midcourse makes it of the first words of the prompt, as for a run. */
public record ScheduleId(String value) {
  private static final IdRule RULE =
      new IdRule(
          "schedule_id",
          Pattern.compile("[a-z0-9][a-z0-9-]*"),
          64,
          "1 to 64 lower-case letters, digits or '-', starting with a letter or digit");

  public ScheduleId {
    RULE.check(value);
  }

  public static ScheduleId of(String text) {
    return new ScheduleId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
