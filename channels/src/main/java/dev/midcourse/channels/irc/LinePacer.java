package dev.midcourse.channels.irc;

import java.time.Duration;

/**
 * Spaces lines so that the server does not take them for a flood: the first few go at once, then
 * one in each interval.
 */
final class LinePacer {
  private static final int BURST = 4;

  private final long interval;
  private long next = System.nanoTime(); // guarded by this

  LinePacer(Duration interval) {
    this.interval = interval.toNanos();
  }

  /** Waits until a line may be sent. */
  void await() throws InterruptedException {
    long wait;
    synchronized (this) {
      long now = System.nanoTime();
      next = Math.max(next, now - (BURST - 1) * interval);
      wait = next - now;
      next += interval;
    }
    if (wait > 0) {
      Thread.sleep(Duration.ofNanos(wait));
    }
  }
}
