package dev.midcourse.engine.follow;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import java.time.Duration;
import java.util.Optional;

/** The cursor that a follower stores in the ledger, so that the next hub continues there. */
final class StoredCursor {
  private final String name;
  private final Ledger ledger;
  private final Duration interval;
  private Optional<Long> stored;
  private long storedAt = System.nanoTime();

  /**
   * @param name the setting that has the cursor
   * @param interval how often the cursor is stored
   */
  StoredCursor(String name, Ledger ledger, Duration interval) {
    this.name = name;
    this.ledger = ledger;
    this.interval = interval;
    this.stored = ledger.read(reading -> reading.setting(name)).map(Long::parseLong);
  }

  /** The cursor in the ledger; empty before the first. */
  Optional<Long> stored() {
    return stored;
  }

  /** How long until this cursor should be stored; empty if it is stored, negative if overdue. */
  Optional<Duration> untilDue(long cursor) {
    if (stored.filter(its -> its == cursor).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        stored.isEmpty()
            ? Duration.ofMillis(-1)
            : interval.minusNanos(System.nanoTime() - storedAt));
  }

  /** Stores the cursor with the lowest priority, and waits until it is durable. */
  void store(long cursor) {
    ledger
        .writeAsync(
            Priority.LAZY,
            tx -> {
              tx.putSetting(name, Long.toString(cursor));
              return cursor;
            })
        .join();
    stored = Optional.of(cursor);
    storedAt = System.nanoTime();
  }
}
