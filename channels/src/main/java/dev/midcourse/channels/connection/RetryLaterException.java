package dev.midcourse.channels.connection;

import java.time.Duration;

/** A failure after which the platform names the time to wait. */
public final class RetryLaterException extends Exception {
  private static final long serialVersionUID = 1;

  private final Duration delay;

  public RetryLaterException(String reason, Duration delay) {
    super(reason);
    this.delay = delay;
  }

  public Duration delay() {
    return delay;
  }
}
