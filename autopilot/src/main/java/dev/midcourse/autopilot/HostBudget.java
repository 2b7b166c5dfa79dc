package dev.midcourse.autopilot;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The looks of all loops at one forge, one after the other: each gets the next free time, in the
 * order of asking. After the forge has said "too many requests", no look begins before the time
 * that it named.
 */
final class HostBudget {
  private final Duration spacing;

  /** By the name of the forge. Guarded by itself. */
  private final Map<String, Instant> nextFree = new HashMap<>();

  HostBudget(Duration spacing) {
    this.spacing = spacing;
  }

  /** Takes the next free time at the forge, not before {@code earliest}. */
  Instant take(String forge, Instant earliest) {
    synchronized (nextFree) {
      Instant free = nextFree.getOrDefault(forge, earliest);
      Instant slot = free.isAfter(earliest) ? free : earliest;
      nextFree.put(forge, slot.plus(spacing));
      return slot;
    }
  }

  /** Lets no look begin at the forge before this time. */
  void pause(String forge, Instant until) {
    synchronized (nextFree) {
      nextFree.merge(forge, until, (one, other) -> one.isAfter(other) ? one : other);
    }
  }
}
