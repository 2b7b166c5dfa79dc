package dev.midcourse.hub.mailbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The tasks of a group that the hub has begun and not answered. Decides when the receipt of a steer
 * waits: always for the answer to its own task, and for all answers during a burst of tasks. A
 * burst delays receipts for at most {@link #MAX_BURST}.
 */
final class UnansweredTasks {
  /** The number of unanswered tasks that counts as a burst. */
  static final int BURST = 50;

  static final Duration MAX_BURST = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;

  /** The keys of the tasks; guarded by this. */
  private final Set<String> keys = new HashSet<>();

  /** The start of the burst; guarded by this. */
  private Optional<Long> burstSince = Optional.empty();

  UnansweredTasks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized void add(String key) {
    keys.add(key);
    if (keys.size() >= BURST && burstSince.isEmpty()) {
      burstSince = Optional.of(nanoTime.getAsLong());
    }
  }

  synchronized void answered(String key) {
    keys.remove(key);
    if (keys.size() < BURST) {
      burstSince = Optional.empty();
    }
  }

  /**
   * Returns whether the receipt of a steer waits for answers.
   *
   * @param key of the task that made the steer, if a task did
   */
  synchronized boolean delaysReceipt(Optional<String> key) {
    return key.map(keys::contains).orElse(false)
        || burstSince
            .map(since -> nanoTime.getAsLong() - since < MAX_BURST.toNanos())
            .orElse(false);
  }
}
