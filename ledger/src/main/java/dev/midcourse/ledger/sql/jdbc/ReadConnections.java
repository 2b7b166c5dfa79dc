package dev.midcourse.ledger.sql.jdbc;

import java.util.function.Function;

/** The connections for reading. */
public interface ReadConnections extends AutoCloseable {
  /** Reads one consistent state. Blocks for a free connection, never for writers. */
  <T> T with(Function<SqlSession, T> look);

  @Override
  void close();
}
