package dev.midcourse.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that runs, and that a test can also move by hand, forwards and back. */
public final class ManualClock implements InstantSource {
  private volatile Duration shift = Duration.ZERO;

  @Override
  public Instant instant() {
    return Instant.now().plus(shift);
  }

  public void move(Duration by) {
    shift = shift.plus(by);
  }
}
