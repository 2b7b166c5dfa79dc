package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Opens a ledger in a PostgreSQL database that many hosts may share. */
public final class PostgresLedger {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private PostgresLedger() {}

  /**
   * Opens the database, making what it needs there.
   *
   * @param url as the PostgreSQL driver takes it: {@code jdbc:postgresql://host/database}
   */
  public static Ledger open(String url, String user, String password) {
    return open(url, user, password, PATIENCE);
  }

  static Ledger open(String url, String user, String password, Duration patience) {
    PostgresServer server = new PostgresServer(url, user, password, patience);
    PostgresDialect dialect = new PostgresDialect(server);
    Statements writing = connect(dialect);
    try {
      Migrations.bring(writing, dialect, Instant.now());
      return opened(server, dialect, writing);
    } catch (RuntimeException e) {
      writing.close();
      throw e;
    }
  }

  private static Ledger opened(PostgresServer server, PostgresDialect dialect, Statements writing) {
    Tail tail = new Tail(EventTable.newest(writing));
    writing.update("COMMIT");
    GroupCommit writer = new GroupCommit(dialect, writing, tail);
    PostgresBell bell = new PostgresBell(server, tail);
    Ledger ledger =
        new SqlLedger(writer, new PostgresReaders(server, dialect), tail, true, bell::close);
    writer.start();
    bell.start();
    return ledger;
  }

  private static Statements connect(PostgresDialect dialect) {
    try {
      return new Statements(dialect.connectToWrite(), dialect);
    } catch (SQLException e) {
      throw dialect.refusal(e);
    }
  }
}
