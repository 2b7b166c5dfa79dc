package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.jdbc.Migrations;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.log.LogTailCache;
import dev.midcourse.ledger.sql.postgres.PostgresDialect;
import dev.midcourse.ledger.sql.postgres.PostgresLocks;
import dev.midcourse.ledger.sql.postgres.PostgresNotifications;
import dev.midcourse.ledger.sql.postgres.PostgresReadConnections;
import dev.midcourse.ledger.sql.postgres.PostgresServer;
import dev.midcourse.ledger.sql.table.EventTable;
import dev.midcourse.ledger.sql.write.GroupCommit;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Opens a ledger in a PostgreSQL database that many hosts may share. */
public final class PostgresLedger {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private PostgresLedger() {}

  /**
   * Opens the database and creates or updates the schema.
   *
   * @param url the JDBC URL: {@code jdbc:postgresql://host/database}
   */
  public static Ledger open(String url, String user, String password) {
    return open(url, user, password, TIMEOUT);
  }

  public static Ledger open(String url, String user, String password, Duration lockTimeout) {
    PostgresServer server = new PostgresServer(url, user, password, lockTimeout);
    PostgresDialect dialect = new PostgresDialect(server);
    SqlSession writing = connect(dialect);
    try {
      Migrations.bring(writing, dialect, Instant.now());
      return opened(server, dialect, writing);
    } catch (RuntimeException e) {
      writing.close();
      throw e;
    }
  }

  private static Ledger opened(PostgresServer server, PostgresDialect dialect, SqlSession writing) {
    LogTailCache tail = new LogTailCache(EventTable.newest(writing));
    writing.update("COMMIT");
    GroupCommit writer = new GroupCommit(dialect, writing, tail);
    PostgresNotifications signal = new PostgresNotifications(server, tail);
    Ledger ledger =
        new SqlLedger(
            writer,
            new PostgresReadConnections(server, dialect),
            tail,
            Optional.of(new PostgresLocks(server)),
            signal::close);
    writer.start();
    signal.start();
    return ledger;
  }

  private static SqlSession connect(PostgresDialect dialect) {
    try {
      return new SqlSession(dialect.connectToWrite(), dialect);
    } catch (SQLException e) {
      throw dialect.refusal(e);
    }
  }
}
