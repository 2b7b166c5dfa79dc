package dev.midcourse.core.schedule;

import dev.midcourse.core.time.LocalTimeReader;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes due times. When clocks are set forward, a time of day that they skip is due at the first
 * instant after the gap, so no day is left out. When they are set back, a time of day that they
 * show twice is due the first time only. An expression with an open hour, such as {@code 0 * * *
 * *}, is due at each instant at which the clock shows a matching time.
 */
public final class ScheduleTimes {
  private ScheduleTimes() {}

  /** The first due time after the instant; empty if there is none. */
  public static Optional<Instant> next(Timing timing, ZoneId zone, Instant after) {
    return switch (timing) {
      case Timing.Cron(CronExpression cron) ->
          cron.isEveryHour() ? nextShown(cron, zone, after) : nextTimeOfDay(cron, zone, after);
      case Timing.Once(Instant at) -> at.isAfter(after) ? Optional.of(at) : Optional.empty();
      case Timing.Every every -> Optional.of(nextOnGrid(every, after));
    };
  }

  /** The next due times after the instant, at most so many. */
  public static List<Instant> next(Timing timing, ZoneId zone, Instant after, int limit) {
    List<Instant> times = new ArrayList<>();
    for (Optional<Instant> next = next(timing, zone, after);
        next.isPresent() && times.size() < limit;
        next = next(timing, zone, next.get())) {
      times.add(next.get());
    }
    return times;
  }

  /** Matching times of day, each at one instant; see {@link LocalTimeReader#toInstant}. */
  private static Optional<Instant> nextTimeOfDay(CronExpression cron, ZoneId zone, Instant after) {
    Optional<LocalDateTime> local = cron.nextLocal(LocalDateTime.ofInstant(after, zone));
    while (local.isPresent()) {
      Instant due = LocalTimeReader.toInstant(local.get(), zone);
      if (due.isAfter(after)) {
        return Optional.of(due);
      }
      local = cron.nextLocal(local.get());
    }
    return Optional.empty();
  }

  /** Instants at which clocks show a matching time; searched between changes of the clock. */
  private static Optional<Instant> nextShown(CronExpression cron, ZoneId zone, Instant after) {
    Instant from = after;
    while (true) {
      ZoneOffset offset = zone.getRules().getOffset(from);
      Optional<Instant> due =
          cron.nextLocal(LocalDateTime.ofInstant(from, offset))
              .map(local -> local.toInstant(offset));
      @Nullable ZoneOffsetTransition change = zone.getRules().nextTransition(from);
      if (change == null || due.isEmpty() || due.get().isBefore(change.getInstant())) {
        return due;
      }
      from = change.getInstant();
      if (cron.matches(change.getDateTimeAfter())) {
        return Optional.of(from);
      }
    }
  }

  private static Instant nextOnGrid(Timing.Every every, Instant after) {
    if (after.isBefore(every.anchor())) {
      return every.anchor();
    }
    long interval = every.interval().toMillis();
    long passed = after.toEpochMilli() - every.anchor().toEpochMilli();
    return every.anchor().plusMillis((passed / interval + 1) * interval);
  }
}
