package dev.midcourse.engine.follow;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads the log on its own thread, and stores its cursor, so that the next hub continues there. No
 * entry is missed. After a crash the last entries may be read twice.
 */
public final class LogFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
  private static final int PAGE = 500;
  private static final long NEVER = -1;

  private final String name;
  private final Ledger ledger;
  private final Log.Filter filter;
  private final Duration keptEvery;
  private final Reader reader;
  private final Thread thread;
  private long cursor;
  private long kept;
  private long keptAt = System.nanoTime();
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
    default Optional<Duration> patience() {
      return Optional.empty();
    }
  }

  /**
   * A follower that continues at the cursor of the last one of this name. The first of a name
   * begins at the end of the log.
   *
   * @param keptEvery how often the cursor is stored: so much may be read again after a crash
   */
  public LogFollower(
      String name, Ledger ledger, Log.Filter filter, Duration keptEvery, Reader reader) {
    this.name = name;
    this.ledger = ledger;
    this.filter = filter;
    this.keptEvery = keptEvery;
    this.reader = reader;
    Optional<Long> before = ledger.read(reading -> reading.setting(name)).map(Long::parseLong);
    this.cursor = before.orElseGet(() -> ledger.log().newest());
    this.kept = before.orElse(NEVER);
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
    thread.interrupt();
    try {
      if (thread.join(CLOSE_TIMEOUT)) {
        reader.leave();
        if (cursor != kept) {
          keep();
        }
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

  private void follow() {
    while (!closed) {
      try {
        Log.Page page = ledger.log().await(cursor, filter, PAGE, longestWait());
        reader.read(page.entries());
        cursor = page.next();
        if (!closed && cursor != kept && untilKept().isNegative()) {
          keep();
        }
        if (!page.entries().isEmpty()) {
          Thread.sleep(reader.rest());
        }
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException e) {
        if (closed || !pause(e)) {
          return;
        }
      }
    }
  }

  private Duration untilKept() {
    return kept == NEVER ? Duration.ofMillis(-1) : keptEvery.minusNanos(System.nanoTime() - keptAt);
  }

  /** Stores the cursor with the lowest priority. */
  private void keep() {
    long reached = cursor;
    ledger
        .writeAsync(
            Priority.LAZY,
            tx -> {
              tx.putSetting(name, Long.toString(reached));
              return reached;
            })
        .join();
    kept = reached;
    keptAt = System.nanoTime();
  }

  private Duration longestWait() {
    Duration own = cursor == kept ? MAX_WAIT : untilKept().plusMillis(1);
    return reader.patience().filter(its -> its.compareTo(own) < 0).orElse(own);
  }

  private boolean pause(RuntimeException why) {
    LOG.log(
        Level.WARNING,
        "The log follower {0} failed ({1}); retrying in 1 s. Its entries are late, none is lost.",
        name,
        why.getMessage());
    try {
      Thread.sleep(Duration.ofSeconds(1));
      return true;
    } catch (InterruptedException end) {
      return false;
    }
  }
}
