package dev.midcourse.core.schedule;

import dev.midcourse.core.time.LocalTimeFormat;
import java.time.Instant;
import java.util.Optional;

/**
 * The prompt of a schedule as the agent reads it, with the due time in the zone of the schedule.
 */
public final class SchedulePrompt {
  private SchedulePrompt() {}

  /** Returns the prompt; the data of a check follows it. */
  public static String text(Schedule schedule, Instant due, Optional<String> data) {
    return "[Scheduled task "
        + schedule.id()
        + ", due "
        + LocalTimeFormat.formatLocalTime(due, schedule.zone())
        + ", "
        + schedule.zone()
        + "]\n\n"
        + schedule.prompt()
        + data.map(json -> "\n\nData of the check:\n" + json).orElse("");
  }
}
