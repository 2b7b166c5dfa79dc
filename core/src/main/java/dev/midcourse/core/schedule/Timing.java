package dev.midcourse.core.schedule;

import dev.midcourse.core.Problem;
import dev.midcourse.core.time.LocalTimeReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;

/** The times of a schedule. {@link ScheduleTimes} computes them. */
public sealed interface Timing {

  /** At the local times of a cron expression. */
  record Cron(CronExpression expression) implements Timing {
    public static Cron of(String text) {
      return new Cron(CronExpression.parse("cron", text));
    }
  }

  /** Once, at this instant. */
  record Once(Instant at) implements Timing {
    /** Reads a local time of the zone, or a time with an offset. */
    public static Once of(String text, ZoneId zone) {
      return new Once(LocalTimeReader.parse("at", text, zone));
    }
  }

  /** At {@code anchor} plus each whole multiple of {@code interval}, whenever runs take place. */
  record Every(Duration interval, Instant anchor) implements Timing {
    private static final String RULE = "at least one second and at most a year";

    public Every {
      if (interval.compareTo(Duration.ofSeconds(1)) < 0
          || interval.compareTo(Duration.ofDays(366)) > 0) {
        throw Problem.invalid("every", RULE, "every must be " + RULE + "; got " + interval)
            .refused();
      }
    }
  }

  /** The timing as a person reads it. */
  default String description() {
    return switch (this) {
      case Cron cron -> cron.expression().text();
      case Once _ -> "once";
      case Every every ->
          "every " + every.interval().toString().substring(2).toLowerCase(Locale.ROOT);
    };
  }
}
