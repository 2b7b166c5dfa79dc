package dev.midcourse.ledger.sql.postgres;

import dev.midcourse.core.RefusedException;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * PostgreSQL: many hosts, one writer at a time. A transaction locks the row of the cursor counter
 * from its beginning to its end. So it decides on the newest state, and cursors become visible in
 * their order.
 */
public final class PostgresDialect implements Dialect {
  private static final String LOCK =
      """
      SELECT value, pg_current_xact_id()::text AS transaction
      FROM counters WHERE name = 'cursor' FOR UPDATE;
      SAVEPOINT work
      """;

  /**
   * Is sent in one round trip, because other writers wait for it. Releases the savepoint first, so
   * that the row of the counter is locked by one transaction and not also by a subtransaction.
   */
  private static final String MOVE_AND_COMMIT =
      """
      RELEASE SAVEPOINT work;
      UPDATE counters SET value = ? WHERE name = 'cursor';
      SELECT pg_notify('midcourse_' || current_schema(), ?);
      COMMIT
      """;

  /** Locks the schema against other migrations. The number identifies this application. */
  private static final String LOCK_SCHEMA = "SELECT pg_advisory_xact_lock(7243051986)";

  private record TransactionStart(long cursor, String transaction) {}

  private final PostgresServer server;

  /** The id of the current transaction. Only the writer thread uses it. */
  private String transaction = "";

  public PostgresDialect(PostgresServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public Connection connectToWrite() throws SQLException {
    return server.connectToWrite();
  }

  @Override
  public String adapted(String sql) {
    return sql;
  }

  @Override
  public void beginAlone(SqlSession on) {
    on.update(LOCK_SCHEMA);
  }

  @Override
  public long begin(SqlSession on) {
    TransactionStart begun =
        on.first(LOCK, row -> new TransactionStart(row.number("value"), row.text("transaction")))
            .orElseThrow(() ->
                new IllegalStateException(
                    "the row 'cursor' is missing in the table counters: restore a backup"));
    transaction = begun.transaction();
    return begun.cursor();
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public void moveSavepoint(SqlSession on) {
    on.update("RELEASE SAVEPOINT work; SAVEPOINT work");
  }

  @Override
  public void commit(SqlSession on, long cursor, boolean moved) {
    try {
      if (moved) {
        on.update(MOVE_AND_COMMIT, cursor, Long.toString(cursor));
      } else {
        on.update("COMMIT");
      }
    } catch (RefusedException refused) {
      boolean cut = refused.getCause() instanceof SQLException cause && lost(cause);
      if (!cut || !server.committed(transaction)) {
        throw refused;
      }
    }
  }

  @Override
  public void afterCommit(int changes) {
    // Nothing to do: the server makes its own checkpoints.
  }

  @Override
  public RuntimeException refusal(SQLException error) {
    return PostgresErrors.refusal(error);
  }

  @Override
  public boolean lost(SQLException error) {
    return PostgresErrors.lost(error);
  }
}
