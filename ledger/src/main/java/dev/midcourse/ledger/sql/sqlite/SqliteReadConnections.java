package dev.midcourse.ledger.sql.sqlite;

import dev.midcourse.ledger.sql.jdbc.ReadConnections;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pool of a few SQLite connections for reading. A connection is opened when it is first needed.
 */
public final class SqliteReadConnections implements ReadConnections {
  private static final int MAX = 4;

  private final SqliteDialect dialect;
  private final Semaphore free = new Semaphore(MAX);
  private final ConcurrentLinkedDeque<SqlSession> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  public SqliteReadConnections(SqliteDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public <T> T with(Function<SqlSession, T> look) {
    free.acquireUninterruptibly();
    try {
      SqlSession on = taken();
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

  private SqlSession taken() {
    if (closed) {
      throw StoreErrors.closed();
    }
    return Optional.ofNullable(idle.pollFirst()).orElseGet(dialect::openToRead);
  }

  private void giveBack(SqlSession on) {
    if (closed || on.failure().isPresent()) {
      on.close();
    } else {
      idle.addFirst(on);
    }
  }

  @Override
  public void close() {
    closed = true;
    for (@Nullable SqlSession on = idle.poll(); on != null; on = idle.poll()) {
      on.close();
    }
  }
}
