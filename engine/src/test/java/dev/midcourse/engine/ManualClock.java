package dev.midcourse.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that a test can move, forwards and back. It runs until the test stops it. Reading it
 * takes no lock, because a thread that waits for a lock would let others run.
 */
public final class ManualClock implements InstantSource {
  private volatile InstantSource base = InstantSource.system();
  private volatile Duration shift = Duration.ZERO;

  @Override
  public Instant instant() {
    return base.instant().plus(shift);
  }

  public synchronized void move(Duration by) {
    shift = shift.plus(by);
  }

  /** From now on only {@link #move} changes the time. */
  public synchronized void stop() {
    base = InstantSource.fixed(base.instant());
  }
}
