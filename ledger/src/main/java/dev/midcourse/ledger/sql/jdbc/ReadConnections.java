package dev.midcourse.ledger.sql.jdbc;

import java.util.function.Function;

/** The connections that only read. */
public interface ReadConnections extends AutoCloseable {
  /** Looks at one consistent state; waits for a free connection, never for writers. */
  <T> T with(Function<SqlSession, T> look);

  @Override
  void close();
}
