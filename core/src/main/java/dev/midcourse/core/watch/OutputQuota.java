package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;

/**
 * How much of what an agent says may still be kept word for word. It is so large, and grows back so
 * fast, that nobody who says what is to be read comes to its end; one that floods does at once.
 *
 * @param left in characters
 * @param at when it was so much
 */
public record OutputQuota(long left, Instant at) {
  private static final long MAX = 8 * 1024 * 1024;
  private static final long PER_SECOND = 16 * 1024;

  /** What a message takes up besides its words. */
  private static final long ROW = 200;

  public static OutputQuota full(Instant now) {
    return new OutputQuota(MAX, now);
  }

  /** What it has grown to; a clock that went back takes nothing away. */
  public OutputQuota at(Instant now) {
    Duration since = Duration.between(at, now);
    if (since.isNegative()) {
      return new OutputQuota(left, now);
    }
    long grown = since.toMillis() * PER_SECOND / 1_000;
    return grown == 0 ? this : new OutputQuota(Math.min(MAX, left + grown), now);
  }

  public boolean covers(long characters) {
    return left >= characters + ROW;
  }

  public OutputQuota less(long characters) {
    return new OutputQuota(left - characters - ROW, at);
  }
}
