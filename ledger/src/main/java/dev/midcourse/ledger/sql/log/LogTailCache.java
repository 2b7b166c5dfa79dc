package dev.midcourse.ledger.sql.log;

import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.Log.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest entries of the log in memory, without a gap, so that subscribers that keep up
 * never read the database; and wakes the subscribers. Holds at most {@link #MAX_ENTRIES} entries
 * and {@link #MAX_CHARACTERS} characters.
 */
public final class LogTailCache {
  private static final int MAX_ENTRIES = 4_096;
  private static final long MAX_CHARACTERS = 4L * 1024 * 1024;

  /** Guards ring, first, last and characters. */
  private final ReentrantLock lock = new ReentrantLock();

  private final @Nullable LogEntry[] ring = new LogEntry[MAX_ENTRIES];
  private long first;
  private long last;
  private long characters;

  private final LogSubscribers subscribers = new LogSubscribers();
  private volatile long newest;
  private volatile boolean closed;

  /** Starts empty; entries up to the cursor are in the database only. */
  public LogTailCache(long newest) {
    this.newest = newest;
    this.last = newest;
    this.first = newest + 1;
  }

  public long newest() {
    return newest;
  }

  /** Adds the entries of a commit of this process; returns whether to wake subscribers. */
  public boolean take(List<LogEntry> entries) {
    if (entries.isEmpty()) {
      return false;
    }
    add(entries);
    return advance(entries.getLast().cursor());
  }

  /**
   * Wakes the subscribers of these entries. If another host has committed entries before them,
   * wakes all subscribers, because nothing else will announce those entries here.
   */
  public void tell(List<LogEntry> entries) {
    if (behind().isPresent()) {
      subscribers.wake();
    } else {
      subscribers.wake(entries);
    }
  }

  /** Notes that another host has committed entries up to the cursor; wakes all subscribers. */
  public void announce(long cursor) {
    if (advance(cursor)) {
      subscribers.wake();
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
   * Adds the entries that directly follow the last one. Skips entries that are here already, and
   * entries after a gap.
   */
  void add(List<LogEntry> entries) {
    lock.lock();
    try {
      for (LogEntry entry : entries) {
        if (entry.cursor() == last + 1) {
          hold(entry);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops all entries and starts again after the cursor. */
  public void startAfter(long cursor) {
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

  /** The cursor of the last entry here, if newer entries are committed. */
  Optional<Long> behind() {
    lock.lock();
    try {
      return last < newest ? Optional.of(last) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** The page after the cursor, if all of its entries are here. */
  Optional<Page> after(long cursor, Filter filter, int limit) {
    List<LogEntry> held;
    lock.lock();
    try {
      if (cursor < first - 1 || last < newest) {
        return Optional.empty();
      }
      held = slice(cursor);
    } finally {
      lock.unlock();
    }
    List<LogEntry> passed = new ArrayList<>(Math.min(limit, held.size()));
    long next = cursor;
    for (LogEntry entry : held) {
      if (passed.size() == limit) {
        break;
      }
      next = entry.cursor();
      if (filter.matches(entry)) {
        passed.add(entry);
      }
    }
    return Optional.of(new Page(passed, next));
  }

  LogSubscribers.Listener listen(Filter filter) {
    return subscribers.listen(filter);
  }

  boolean closed() {
    return closed;
  }

  /** Wakes all subscribers for the last time. */
  public void close() {
    closed = true;
    subscribers.wake();
  }

  private List<LogEntry> slice(long cursor) {
    int count = (int) Math.max(0, last - cursor);
    List<LogEntry> slice = new ArrayList<>(count);
    for (long at = cursor + 1; at <= last; at++) {
      slice.add(held(at));
    }
    return slice;
  }

  private LogEntry held(long cursor) {
    @Nullable LogEntry entry = ring[slot(cursor)];
    if (entry == null) {
      throw new IllegalStateException(
          "no entry at " + cursor + " between " + first + " and " + last);
    }
    return entry;
  }

  private void hold(LogEntry entry) {
    if (last - first + 1 == MAX_ENTRIES) {
      drop();
    }
    last = entry.cursor();
    ring[slot(last)] = entry;
    characters += entry.json().length();
    while (characters > MAX_CHARACTERS && first < last) {
      drop();
    }
  }

  private void drop() {
    characters -= held(first).json().length();
    ring[slot(first)] = null;
    first++;
  }

  private static int slot(long cursor) {
    return (int) (cursor % MAX_ENTRIES);
  }
}
