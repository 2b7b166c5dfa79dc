package dev.midcourse.autopilot.forge.http;

import dev.midcourse.autopilot.forge.ForgeException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the writes of one forge go one after the other, in the order in which they come, with a
 * least time between them.
 */
final class WriteThrottle {
  /** Waits. A test may return at once. */
  @FunctionalInterface
  interface Pause {
    void pause(Duration time) throws InterruptedException;
  }

  /** A write. */
  @FunctionalInterface
  interface Write {
    ForgeResponse send() throws ForgeException, InterruptedException;
  }

  private final Duration interval;
  private final Pause pause;

  /** Held for a whole write. Guards the fields below. */
  private final ReentrantLock turn = new ReentrantLock(true);

  private boolean hasWritten;
  private long lastEnd;

  WriteThrottle(Duration interval, Pause pause) {
    this.interval = interval;
    this.pause = pause;
  }

  ForgeResponse write(Write write) throws ForgeException, InterruptedException {
    turn.lockInterruptibly();
    try {
      if (hasWritten) {
        Duration left = interval.minusNanos(System.nanoTime() - lastEnd);
        if (left.isPositive()) {
          pause.pause(left);
        }
      }
      try {
        return write.send();
      } finally {
        hasWritten = true;
        lastEnd = System.nanoTime();
      }
    } finally {
      turn.unlock();
    }
  }
}
