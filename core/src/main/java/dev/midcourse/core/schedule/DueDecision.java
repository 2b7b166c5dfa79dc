package dev.midcourse.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a schedule does when its time may have come. */
public sealed interface DueDecision {
  /** How late a due time may be without being missed. */
  Duration ON_TIME = Duration.ofMinutes(1);

  /** The number of missed times that are counted, and that {@link MissedTimePolicy#ALL} runs. */
  int MAX_MISSED = 100;

  /** Nothing: the schedule is not active, or its time has not come. */
  record Wait() implements DueDecision {}

  /**
   * Gives the prompt.
   *
   * @param due the due time
   * @param missed how many later due times this one stands for; counted up to {@link #MAX_MISSED}
   * @param next the next due time; it may have passed too
   */
  record Fire(Instant due, int missed, Optional<Instant> next) implements DueDecision {}

  /** Gives nothing, because the due time was missed. */
  record Skip(Instant due, int missed, Optional<Instant> next) implements DueDecision {}

  static DueDecision decide(Schedule schedule, Instant now) {
    if (schedule.nextAt().filter(at -> !at.isAfter(now)).isEmpty()) {
      return new Wait();
    }
    Instant due = schedule.nextAt().get();
    int missed = countAfter(schedule, due, now);
    return switch (schedule.missed()) {
      case ONCE -> new Fire(due, missed, schedule.nextAfter(now));
      case ALL ->
          missed < MAX_MISSED
              ? new Fire(due, 0, schedule.nextAfter(due))
              : new Fire(due, missed, schedule.nextAfter(now));
      case SKIP -> skipping(schedule, due, now);
    };
  }

  private static DueDecision skipping(Schedule schedule, Instant due, Instant now) {
    Instant onTime = now.minus(ON_TIME);
    if (!due.isBefore(onTime)) {
      return new Fire(due, 0, schedule.nextAfter(due));
    }
    Instant last = onTime.minusNanos(1);
    return new Skip(due, countAfter(schedule, due, last), schedule.nextAfter(last));
  }

  /** The number of due times after one and up to another, at most {@link #MAX_MISSED}. */
  private static int countAfter(Schedule schedule, Instant due, Instant until) {
    return (int)
        ScheduleTimes.next(schedule.timing(), schedule.zone(), due, MAX_MISSED).stream()
            .takeWhile(time -> !time.isAfter(until))
            .count();
  }
}
