package dev.midcourse.ledger.sql.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * Converts times to nanoseconds since 1970. Exact from 1677 to 2262; a time outside of this range
 * becomes its nearest end.
 */
public final class SqlTimes {
  private static final long NANOS = 1_000_000_000L;
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);
  private static final Instant FIRST = instant(Long.MIN_VALUE);
  private static final Instant LAST = instant(Long.MAX_VALUE);

  private SqlTimes() {}

  /** The duration in nanoseconds, at most 100 years. */
  public static long nanos(Duration duration) {
    return duration.compareTo(MAX_DURATION) > 0 ? MAX_DURATION.toNanos() : duration.toNanos();
  }

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
  }

  static long nanos(Instant time) {
    if (!time.isAfter(FIRST)) {
      return Long.MIN_VALUE;
    }
    if (!time.isBefore(LAST)) {
      return Long.MAX_VALUE;
    }
    // Whole seconds are rounded towards zero, so that the product cannot overflow before the sum.
    long seconds = time.getEpochSecond();
    long nano = time.getNano();
    return seconds < 0 && nano > 0
        ? (seconds + 1) * NANOS + (nano - NANOS)
        : seconds * NANOS + nano;
  }
}
