package dev.midcourse.engine.follow;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Follows the log on a thread of its own, for a reader who is to miss nothing: how far it came is
 * kept, and the next hub goes on there. One that was killed may have its last page read again.
 */
public final class LogFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final Duration GOODBYE = Duration.ofSeconds(2);
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

  /** Who reads what follows. */
  @FunctionalInterface
  public interface Reader {
    /** Reads what is new, or nothing. */
    void read(List<Log.LogEntry> news);

    /** Nothing will be read any more: does what was put off. */
    default void leave() {}

    /** How long it is left alone after news, so that more of them come together. */
    default Duration rest() {
      return Duration.ZERO;
    }

    /** How long it can be left alone when nothing is new, if that matters. */
    default Optional<Duration> patience() {
      return Optional.empty();
    }
  }

  /**
   * A follower who begins where the last one of this name came to; the very first with what happens
   * from now on.
   *
   * @param keptEvery how often it is kept how far it came: so much may be read again after a crash
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

  /** Begins, unless it has begun or is closed. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    }
  }

  /** Lets what is being read be read; nothing is read afterwards. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    thread.interrupt();
    try {
      if (thread.join(GOODBYE)) {
        reader.leave();
        if (cursor != kept) {
          keep();
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "{0} are not all told: {1}", name, e.getMessage());
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

  /** Nobody waits for it, so it may share a commit with others. */
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
    LOG.log(Level.WARNING, "{0} are late: {1}", name, why.getMessage());
    try {
      Thread.sleep(Duration.ofSeconds(1));
      return true;
    } catch (InterruptedException end) {
      return false;
    }
  }
}
