package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket for the agent output that is stored verbatim. Its size and its refill rate are
 * above the output of any agent that writes for readers; an agent that floods its output exhausts
 * it at once.
 *
 * @param left the characters left
 * @param at the time of the last refill
 */
public record OutputQuota(long left, Instant at) {
  private static final long MAX = 8 * 1024 * 1024;
  private static final long PER_SECOND = 16 * 1024;

  /** The characters that a row needs besides its text. */
  private static final long ROW = 200;

  public static OutputQuota full(Instant now) {
    return new OutputQuota(MAX, now);
  }

  /** The quota refilled up to this time. A clock that goes back removes nothing. */
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
