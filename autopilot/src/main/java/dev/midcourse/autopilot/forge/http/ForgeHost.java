package dev.midcourse.autopilot.forge.http;

import java.time.Duration;
import java.time.InstantSource;

/**
 * What all clients of one host share: its limits, and the order of its writes. Another host is not
 * affected by them.
 */
public final class ForgeHost {
  private final ForgeLimits limits;
  private final WriteThrottle throttle;

  /**
   * @param writeInterval the least time from one write to the next
   */
  public ForgeHost(Duration writeInterval, InstantSource clock) {
    this(writeInterval, clock, Thread::sleep);
  }

  /**
   * @param pause waits between two writes
   */
  ForgeHost(Duration writeInterval, InstantSource clock, WriteThrottle.Pause pause) {
    limits = new ForgeLimits(clock);
    throttle = new WriteThrottle(writeInterval, pause);
  }

  ForgeLimits limits() {
    return limits;
  }

  WriteThrottle throttle() {
    return throttle;
  }
}
