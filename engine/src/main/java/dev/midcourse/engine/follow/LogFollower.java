package dev.midcourse.engine.follow;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.RetryDelay;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads the log on its own thread. A failed read is repeated after a second, so no entry is missed.
 * A follower that stores its cursor is continued by the next hub; after a crash the last entries
 * may be read twice.
 */
public final class LogFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final int PAGE = 500;

  private final String name;
  private final Log log;
  private final Log.Filter filter;
  private final Optional<StoredCursor> checkpoint;
  private final Reader reader;
  private final Thread thread;
  private final RetryDelay retry;

  /** Held while a page is read, so that {@link #close} does not interrupt its reader. */
  private final ReentrantLock reading = new ReentrantLock();

  private long cursor;
  private volatile boolean closed;

  /** Receives the entries of the log. */
  @FunctionalInterface
  public interface Reader {
    /** Reads new entries; the list may be empty. */
    void read(List<Log.LogEntry> news);

    /** The follower closes: does work that was put off. */
    default void leave() {}

    /** How long the follower waits after new entries, so that more of them come together. */
    default Duration rest() {
      return Duration.ZERO;
    }

    /** After how long the reader is called without new entries, if it has work then. */
    default Optional<Duration> maxWait() {
      return Optional.empty();
    }
  }

  /** A follower that begins at the end of the log and stores no cursor. */
  public LogFollower(String name, Log log, Log.Filter filter, Reader reader) {
    this(name, log, filter, Optional.empty(), reader);
  }

  /** A follower that begins after this cursor and stores none. */
  public LogFollower(String name, Log log, Log.Filter filter, long after, Reader reader) {
    this(name, log, filter, Optional.empty(), reader);
    this.cursor = after;
  }

  /**
   * A follower that continues at the cursor of the last one of this name. The first of a name
   * begins at the end of the log.
   *
   * @param storeInterval how often the cursor is stored: so much may be read again after a crash
   */
  public LogFollower(
      String name, Ledger ledger, Log.Filter filter, Duration storeInterval, Reader reader) {
    this(
        name,
        ledger.log(),
        filter,
        Optional.of(new StoredCursor(name, ledger, storeInterval)),
        reader);
  }

  private LogFollower(
      String name, Log log, Log.Filter filter, Optional<StoredCursor> checkpoint, Reader reader) {
    this.name = name;
    this.log = log;
    this.filter = filter;
    this.checkpoint = checkpoint;
    this.reader = reader;
    this.cursor = checkpoint.flatMap(StoredCursor::stored).orElseGet(log::newest);
    this.retry =
        new RetryDelay(
            LOG,
            RETRY_INTERVAL,
            "Reading the log for " + name,
            "Its entries are late, none is lost.");
    this.thread = Thread.ofPlatform().name("midcourse-" + name).daemon().unstarted(this::follow);
  }

  /** Starts the thread, unless it was started or closed. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    }
  }

  /** Waits until the current page is read. No entry is read afterwards. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      interruptBetweenPages();
      if (thread.join(CLOSE_TIMEOUT)) {
        reader.leave();
        checkpoint
            .filter(its -> its.untilDue(cursor).isPresent())
            .ifPresent(its -> its.store(cursor));
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "Closing the log follower {0} failed ({1}). The next hub reads its last entries again.",
          name,
          e.getMessage());
    }
  }

  /** A reader that is interrupted could fail to pass an entry on, and the entry would be lost. */
  private void interruptBetweenPages() throws InterruptedException {
    boolean between = reading.tryLock(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    try {
      thread.interrupt();
    } finally {
      if (between) {
        reading.unlock();
      }
    }
  }

  private void read(Log.Page page) {
    reading.lock();
    try {
      if (!closed) {
        reader.read(page.entries());
        cursor = page.next();
      }
    } finally {
      reading.unlock();
    }
  }

  private void follow() {
    while (!closed) {
      try {
        Log.Page page = log.await(cursor, filter, PAGE, maxWait());
        read(page);
        if (!closed) {
          storeCursorIfDue();
        }
        retry.succeeded();
        if (!page.entries().isEmpty() && page.entries().size() < PAGE) {
          Thread.sleep(reader.rest());
        }
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException e) {
        if (closed || !retry.sleepAfter(e)) {
          return;
        }
      }
    }
  }

  private void storeCursorIfDue() {
    checkpoint
        .filter(its -> its.untilDue(cursor).filter(Duration::isNegative).isPresent())
        .ifPresent(its -> its.store(cursor));
  }

  private Duration maxWait() {
    Duration own =
        checkpoint
            .flatMap(its -> its.untilDue(cursor))
            .map(due -> due.plusMillis(1))
            .orElse(MAX_WAIT);
    return reader.maxWait().filter(its -> its.compareTo(own) < 0).orElse(own);
  }
}
