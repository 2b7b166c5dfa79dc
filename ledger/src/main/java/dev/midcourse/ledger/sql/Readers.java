package dev.midcourse.ledger.sql;

import java.util.function.Function;

/** The connections that only read. */
interface Readers extends AutoCloseable {
  /** Looks at one consistent state; waits for a free connection, never for writers. */
  <T> T with(Function<Statements, T> look);

  @Override
  void close();
}
