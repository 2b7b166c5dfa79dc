package dev.midcourse.autopilot;

import java.time.Duration;

/**
 * How often a loop looks at its change: often after something has happened there, then more and
 * more rarely.
 *
 * @param first the time between looks at first
 * @param firstFor how long it stays so
 * @param longest the longest time between looks
 * @param spacing the shortest time between two looks of all loops at one host
 */
public record LookSchedule(Duration first, Duration firstFor, Duration longest, Duration spacing) {
  public static final LookSchedule DEFAULT =
      new LookSchedule(
          Duration.ofSeconds(15),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMillis(500));

  private static final int MAX_DOUBLINGS = 20;

  /**
   * The time until the next look.
   *
   * @param looks how many looks there were since something happened
   * @param jitter from 0 to 1, so that loops that began together do not stay together
   */
  public Duration delay(int looks, double jitter) {
    long often = firstFor.dividedBy(first);
    Duration even =
        looks < often
            ? first
            : min(first.multipliedBy(1L << Math.min(MAX_DOUBLINGS, looks - often + 1)), longest);
    return even.plus(Duration.ofNanos((long) (even.toNanos() * 0.2 * (jitter - 0.5))));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
