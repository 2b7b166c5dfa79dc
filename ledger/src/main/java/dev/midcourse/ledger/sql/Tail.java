package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.Logged;
import dev.midcourse.ledger.Log.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest entries of the log in memory, without a gap, so that listeners who keep up never ask
 * the database; and the bells that wake them. Holds so many entries and so much text, no more.
 */
final class Tail {
  private static final int MOST_ENTRIES = 4_096;
  private static final long MOST_CHARACTERS = 4L * 1024 * 1024;

  /** Guards ring, first, last and characters. */
  private final ReentrantLock lock = new ReentrantLock();

  private final @Nullable Logged[] ring = new Logged[MOST_ENTRIES];
  private long first;
  private long last;
  private long characters;

  private final Bells bells = new Bells();
  private volatile long newest;
  private volatile boolean closed;

  /** Begins behind this cursor: what came before is in the database. */
  Tail(long newest) {
    this.newest = newest;
    this.last = newest;
    this.first = newest + 1;
  }

  long newest() {
    return newest;
  }

  /** Takes what was just committed here; whether somebody is to be told of it. */
  boolean take(List<Logged> entries) {
    if (entries.isEmpty()) {
      return false;
    }
    add(entries);
    return advance(entries.getLast().cursor());
  }

  /**
   * Wakes those who listen to such entries; everybody, where others have committed before them, of
   * whose entries nobody here was told and nobody will be.
   */
  void tell(List<Logged> entries) {
    if (behind().isPresent()) {
      bells.ring();
    } else {
      bells.ring(entries);
    }
  }

  /** Says that entries up to this cursor are committed elsewhere, and wakes all listeners. */
  void announce(long cursor) {
    if (advance(cursor)) {
      bells.ring();
    }
  }

  private boolean advance(long cursor) {
    lock.lock();
    try {
      if (cursor <= newest) {
        return false;
      }
      newest = cursor;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes entries that follow the last one held; what is held already is passed over, and what
   * comes after a gap is left to be read later.
   */
  void add(List<Logged> entries) {
    lock.lock();
    try {
      for (Logged entry : entries) {
        if (entry.cursor() == last + 1) {
          hold(entry);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Holds nothing up to the cursor, and everything after it from now on. */
  void startAfter(long cursor) {
    lock.lock();
    try {
      while (first <= last) {
        drop();
      }
      last = Math.max(last, cursor);
      first = last + 1;
    } finally {
      lock.unlock();
    }
  }

  /** The cursor up to which entries are held, when newer ones are known to be committed. */
  Optional<Long> behind() {
    lock.lock();
    try {
      return last < newest ? Optional.of(last) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** The page after the cursor if all of it is held here. */
  Optional<Page> after(long cursor, Filter filter, int limit) {
    List<Logged> held;
    lock.lock();
    try {
      if (cursor < first - 1 || last < newest) {
        return Optional.empty();
      }
      held = slice(cursor);
    } finally {
      lock.unlock();
    }
    List<Logged> passed = new ArrayList<>(Math.min(limit, held.size()));
    long next = cursor;
    for (Logged entry : held) {
      if (passed.size() == limit) {
        break;
      }
      next = entry.cursor();
      if (filter.lets(entry)) {
        passed.add(entry);
      }
    }
    return Optional.of(new Page(passed, next));
  }

  Bells.Listener listen(Filter filter) {
    return bells.listen(filter);
  }

  boolean closed() {
    return closed;
  }

  /** Wakes all listeners for good. */
  void close() {
    closed = true;
    bells.ring();
  }

  private List<Logged> slice(long cursor) {
    int count = (int) Math.max(0, last - cursor);
    List<Logged> slice = new ArrayList<>(count);
    for (long at = cursor + 1; at <= last; at++) {
      slice.add(held(at));
    }
    return slice;
  }

  private Logged held(long cursor) {
    @Nullable Logged entry = ring[slot(cursor)];
    if (entry == null) {
      throw new IllegalStateException(
          "no entry at " + cursor + " between " + first + " and " + last);
    }
    return entry;
  }

  private void hold(Logged entry) {
    if (last - first + 1 == MOST_ENTRIES) {
      drop();
    }
    last = entry.cursor();
    ring[slot(last)] = entry;
    characters += entry.json().length();
    while (characters > MOST_CHARACTERS && first < last) {
      drop();
    }
  }

  private void drop() {
    characters -= held(first).json().length();
    ring[slot(first)] = null;
    first++;
  }

  private static int slot(long cursor) {
    return (int) (cursor % MOST_ENTRIES);
  }
}
