package dev.midcourse.ledger.sql.log;

import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.sql.jdbc.ReadConnections;
import dev.midcourse.ledger.sql.jdbc.SqlTimes;
import dev.midcourse.ledger.sql.table.EventTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The log: the newest entries from memory, older ones from the database. */
public final class SqlLog implements Log {
  private static final int MAX_TO_CATCH_UP = 2_048;

  private final ReadConnections readers;
  private final LogTailCache tail;

  /** Guards catching up: one subscriber reads the entries of other hosts for all. */
  private final ReentrantLock catchingUp = new ReentrantLock();

  public SqlLog(ReadConnections readers, LogTailCache tail) {
    this.readers = readers;
    this.tail = tail;
  }

  @Override
  public Page after(long cursor, Filter filter, int limit) {
    positive(limit);
    return tail.after(cursor, filter, limit)
        .or(() -> caughtUp(cursor, filter, limit))
        .orElseGet(() -> stored(cursor, filter, limit));
  }

  @Override
  public Page last(Filter filter, int limit) {
    positive(limit);
    return readers.with(on -> {
      long newest = EventTable.newest(on);
      return new Page(EventTable.last(on, filter, limit), newest);
    });
  }

  @Override
  public long newest() {
    return tail.newest();
  }

  @Override
  public Subscription subscribe(Filter filter) {
    return new LogSubscription(filter);
  }

  private final class LogSubscription implements Subscription {
    private final Filter filter;
    private final LogSubscribers.Listener listener;

    LogSubscription(Filter filter) {
      this.filter = filter;
      this.listener = tail.listen(filter);
    }

    @Override
    public Page await(long cursor, int limit, Duration atMost) throws InterruptedException {
      long until = System.nanoTime() + SqlTimes.nanos(atMost);
      long from = cursor;
      while (true) {
        listener.listen();
        Page page = after(from, filter, limit);
        long left = until - System.nanoTime();
        if (!page.entries().isEmpty() || tail.closed() || left <= 0) {
          return page;
        }
        from = page.next();
        listener.await(left);
      }
    }

    @Override
    public void close() {
      listener.close();
    }
  }

  private Page stored(long cursor, Filter filter, int limit) {
    return readers.with(on -> {
      long newest = EventTable.newest(on);
      List<LogEntry> entries = EventTable.after(on, cursor, filter, limit);
      boolean all = entries.size() < limit;
      return new Page(entries, all ? Math.max(cursor, newest) : entries.getLast().cursor());
    });
  }

  /** Reads the entries that other hosts have committed, once for all subscribers. */
  private Optional<Page> caughtUp(long cursor, Filter filter, int limit) {
    catchingUp.lock();
    try {
      Optional<Long> held = tail.behind();
      if (held.isPresent()) {
        catchUp(held.get());
      }
    } finally {
      catchingUp.unlock();
    }
    return tail.after(cursor, filter, limit);
  }

  private void catchUp(long held) {
    long newest = tail.newest();
    long from = Math.max(held, newest - MAX_TO_CATCH_UP);
    if (from > held) {
      tail.startAfter(from);
    }
    tail.add(readers.with(on -> EventTable.after(on, from, Filter.ALL, MAX_TO_CATCH_UP)));
  }

  private static void positive(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1; got " + limit);
    }
  }
}
