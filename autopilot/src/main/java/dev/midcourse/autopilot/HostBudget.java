package dev.midcourse.autopilot;

import dev.midcourse.core.id.LoopId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The times at which all loops at one forge look: no two are closer together than the spacing. A
 * loop has one time. It gets the first free one, so a loop that looks rarely delays no other. After
 * the forge has said "too many requests", no time is given before the one that it named.
 */
final class HostBudget {
  private final Duration spacing;

  /** By the name of the forge. Guarded by itself. */
  private final Map<String, Times> forges = new HashMap<>();

  /** The times of one forge. */
  private static final class Times {
    private final Map<LoopId, Instant> byLoop = new HashMap<>();
    private final NavigableSet<Instant> taken = new TreeSet<>();
    private Instant paused = Instant.MIN;

    void release(LoopId loop) {
      Instant before = byLoop.remove(loop);
      if (before != null) {
        taken.remove(before);
      }
    }
  }

  /**
   * @param spacing more than zero, or zero if loops may look at the same time
   */
  HostBudget(Duration spacing) {
    this.spacing = spacing;
  }

  /** Gives the loop the next free time at the forge, not before {@code earliest}. */
  Instant take(String forge, LoopId loop, Instant earliest) {
    synchronized (forges) {
      Times times = forges.computeIfAbsent(forge, _ -> new Times());
      times.release(loop);
      Instant time = earliest.isBefore(times.paused) ? times.paused : earliest;
      if (spacing.isZero()) {
        return time;
      }
      for (Instant other : times.taken.tailSet(time.minus(spacing), false)) {
        if (!other.isBefore(time.plus(spacing))) {
          break;
        }
        time = other.plus(spacing);
      }
      times.byLoop.put(loop, time);
      times.taken.add(time);
      return time;
    }
  }

  /** The loop does not look any more. */
  void release(String forge, LoopId loop) {
    synchronized (forges) {
      Times times = forges.get(forge);
      if (times != null) {
        times.release(loop);
      }
    }
  }

  /** Lets no look begin at the forge before this time. */
  void pause(String forge, Instant until) {
    synchronized (forges) {
      Times times = forges.computeIfAbsent(forge, _ -> new Times());
      times.paused = times.paused.isAfter(until) ? times.paused : until;
    }
  }
}
