package dev.midcourse.channels.telegram;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that the test moves. */
final class MovableClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-03-01T10:00:00Z");

  synchronized void move(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }
}
