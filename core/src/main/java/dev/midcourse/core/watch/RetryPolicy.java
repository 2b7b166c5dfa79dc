package dev.midcourse.core.watch;

import java.time.Duration;

/** Exponential back-off between attempts: the pause doubles up to a maximum. */
public record RetryPolicy(Duration first, Duration maxDelay) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Duration.ofSeconds(5), Duration.ofMinutes(5));

  /** The pause before the next attempt after this number of failures in a row. */
  public Duration pauseAfter(int failures) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    Duration pause = first;
    for (int i = 1; i < failures && pause.compareTo(maxDelay) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(maxDelay) > 0 ? maxDelay : pause;
  }
}
