package dev.midcourse.ledger.sql;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A few SQLite connections that only read, used by the thread that asks. Opened when first needed.
 */
final class SqliteReaders implements Readers {
  private static final int MOST = 4;

  private final SqliteDialect dialect;
  private final Semaphore free = new Semaphore(MOST);
  private final ConcurrentLinkedDeque<Statements> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  SqliteReaders(SqliteDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public <T> T with(Function<Statements, T> look) {
    free.acquireUninterruptibly();
    try {
      Statements on = taken();
      try {
        on.update("BEGIN");
        try {
          return look.apply(on);
        } finally {
          on.update("COMMIT");
        }
      } finally {
        giveBack(on);
      }
    } finally {
      free.release();
    }
  }

  private Statements taken() {
    if (closed) {
      throw Refusals.closed();
    }
    return Optional.ofNullable(idle.pollFirst()).orElseGet(dialect::openToRead);
  }

  private void giveBack(Statements on) {
    if (closed || on.failure().isPresent()) {
      on.close();
    } else {
      idle.addFirst(on);
    }
  }

  @Override
  public void close() {
    closed = true;
    for (@Nullable Statements on = idle.poll(); on != null; on = idle.poll()) {
      on.close();
    }
  }
}
