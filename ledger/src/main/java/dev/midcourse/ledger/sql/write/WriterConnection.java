package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connection of the writer thread. A lost connection is replaced at the next transaction. */
public final class WriterConnection {
  private static final System.Logger LOG = System.getLogger(WriterConnection.class.getName());

  private final Dialect dialect;
  private @Nullable SqlSession connected;

  public WriterConnection(Dialect dialect, SqlSession connected) {
    this.dialect = dialect;
    this.connected = connected;
  }

  /** An open transaction, and the newest cursor before it. */
  record OpenTransaction(SqlSession on, long cursor) {}

  /** Begins a transaction. A connection that was lost while idle is replaced. */
  public OpenTransaction begin() {
    SqlSession on = open();
    try {
      return new OpenTransaction(on, dialect.begin(on));
    } catch (RuntimeException refused) {
      if (!on.failure().map(dialect::lost).orElse(false)) {
        throw refused;
      }
      close();
      SqlSession another = open();
      return new OpenTransaction(another, dialect.begin(another));
    }
  }

  /** Rolls the transaction back, or closes the connection if that fails. */
  void abandon() {
    @Nullable SqlSession on = connected;
    if (on != null) {
      boolean lost = on.failure().map(dialect::lost).orElse(false);
      if (lost || !rolledBack(on)) {
        close();
      }
    }
  }

  void close() {
    @Nullable SqlSession on = connected;
    if (on != null) {
      on.close();
      connected = null;
    }
  }

  private SqlSession open() {
    try {
      @Nullable SqlSession on = connected;
      if (on == null) {
        on = new SqlSession(dialect.connectToWrite(), dialect);
        connected = on;
      }
      on.forget();
      return on;
    } catch (SQLException e) {
      throw dialect.refusal(e);
    }
  }

  private static boolean rolledBack(SqlSession on) {
    try {
      on.update("ROLLBACK");
      return true;
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "the rollback failed; the writer closes this connection and opens another",
          e);
      return false;
    }
  }
}
