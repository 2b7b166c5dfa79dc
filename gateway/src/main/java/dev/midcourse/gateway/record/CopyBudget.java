package dev.midcourse.gateway.record;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of all copies together. A copy that gets no more memory is given up; the bytes
 * themselves are passed on all the same.
 */
final class CopyBudget {
  private final AtomicLong free;

  CopyBudget(long bytes) {
    free = new AtomicLong(bytes);
  }

  boolean take(long bytes) {
    if (free.addAndGet(-bytes) >= 0) {
      return true;
    }
    free.addAndGet(bytes);
    return false;
  }

  void giveBack(long bytes) {
    free.addAndGet(bytes);
  }

  long free() {
    return free.get();
  }
}
