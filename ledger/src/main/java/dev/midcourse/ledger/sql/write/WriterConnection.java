package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The writer's connection, made anew when it was lost. Only the writer's thread uses it. */
public final class WriterConnection {
  private static final System.Logger LOG = System.getLogger(WriterConnection.class.getName());

  private final Dialect dialect;
  private @Nullable SqlSession connected;

  public WriterConnection(Dialect dialect, SqlSession connected) {
    this.dialect = dialect;
    this.connected = connected;
  }

  /** A transaction that has begun, and the newest cursor before it. */
  record Begun(SqlSession on, long cursor) {}

  /** Nothing has been done yet, so a connection that died while idle is simply replaced. */
  public Begun begin() {
    SqlSession on = open();
    try {
      return new Begun(on, dialect.begin(on));
    } catch (RuntimeException refused) {
      if (!on.failure().map(dialect::lost).orElse(false)) {
        throw refused;
      }
      close();
      SqlSession another = open();
      return new Begun(another, dialect.begin(another));
    }
  }

  /** Leaves nothing of the transaction, whatever has become of the connection. */
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
      LOG.log(System.Logger.Level.DEBUG, "could not roll back; the connection is dropped", e);
      return false;
    }
  }
}
