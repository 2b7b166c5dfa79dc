package dev.midcourse.ledger.sql.sqlite;

import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Copies committed pages from SQLite's write-ahead log into the file, on a thread of its own, so
 * that no caller waits for it. If this thread falls far behind, the writer makes a checkpoint.
 */
public final class SqliteCheckpointer implements AutoCloseable {
  /** Checkpoints are rare, because each syncs the file and delays commits meanwhile. */
  private static final int CHECKPOINT_THRESHOLD = 8_000;

  private static final System.Logger LOG = System.getLogger(SqliteCheckpointer.class.getName());

  private final Supplier<SqlSession> connect;
  private final Semaphore due = new Semaphore(0);
  private final Thread thread;
  private int changes;
  private volatile boolean closing;

  SqliteCheckpointer(Supplier<SqlSession> connect) {
    this.connect = connect;
    this.thread =
        Thread.ofPlatform().name("ledger-checkpoint").daemon().unstarted(this::runCheckpoints);
  }

  public void start() {
    thread.start();
  }

  /** Called by the writer after each commit. */
  void note(int more) {
    changes += more;
    if (changes >= CHECKPOINT_THRESHOLD) {
      changes = 0;
      due.release();
    }
  }

  @Override
  public void close() {
    closing = true;
    due.release();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runCheckpoints() {
    due.acquireUninterruptibly();
    while (!closing) {
      try (SqlSession on = connect.get()) {
        checkpoint(on);
      } catch (RuntimeException e) {
        LOG.log(
            System.Logger.Level.DEBUG,
            "a checkpoint failed; the next one is made after more changes, or by the writer",
            e);
        due.acquireUninterruptibly();
      }
    }
  }

  private void checkpoint(SqlSession on) {
    while (!closing) {
      on.all("PRAGMA wal_checkpoint(PASSIVE)", row -> row.number("checkpointed"));
      due.acquireUninterruptibly();
      due.drainPermits();
    }
  }
}
