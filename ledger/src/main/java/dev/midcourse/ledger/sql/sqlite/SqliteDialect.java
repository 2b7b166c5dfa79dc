package dev.midcourse.ledger.sql.sqlite;

import dev.midcourse.core.RefusedException;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import dev.midcourse.ledger.sql.table.EventTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** SQLite: one file with a write-ahead log. A commit returns when it is on disk. */
public final class SqliteDialect implements Dialect {
  private static final Properties SETTINGS = settings();

  private static final String MOVE = "UPDATE counters SET value = ? WHERE name = 'cursor'";

  /**
   * The size of the write-ahead log at which the writer itself makes a checkpoint, and then begins
   * the log anew. Callers wait for it, so it is rare: chats with 200 messages a second write 16,000
   * pages each second. The file has 128 MiB then.
   */
  private static final int MAX_LOG_PAGES = 32_000;

  private final Path file;
  private final String waitForOthers;
  private final SqliteCheckpointer checkpoints = new SqliteCheckpointer(this::openToCheckpoint);

  /** Waits up to {@code lockTimeout} for other processes that have locked the file. */
  public SqliteDialect(Path file, Duration lockTimeout) {
    this.file = file;
    this.waitForOthers = "PRAGMA busy_timeout = " + lockTimeout.toMillis();
  }

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public Connection connectToWrite() throws SQLException {
    return connect(
        waitForOthers,
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
        "PRAGMA wal_autocheckpoint = " + MAX_LOG_PAGES);
  }

  public SqliteCheckpointer checkpoints() {
    return checkpoints;
  }

  private SqlSession openToCheckpoint() {
    try {
      return new SqlSession(connect("PRAGMA busy_timeout = 0"), this);
    } catch (SQLException e) {
      throw refusal(e);
    }
  }

  /** Opens a connection that cannot write. */
  SqlSession openToRead() {
    try {
      return new SqlSession(connect(waitForOthers, "PRAGMA query_only = ON"), this);
    } catch (SQLException e) {
      throw refusal(e);
    }
  }

  /** Without generated keys, because fetching them costs a query for each insert. */
  private static Properties settings() {
    SQLiteConfig config = new SQLiteConfig();
    config.setGetGeneratedKeys(false);
    return config.toProperties();
  }

  private Connection connect(String... pragmas) throws SQLException {
    // As a URI, so that the driver does not interpret characters of the path.
    Connection connection = JDBC.createConnection("jdbc:sqlite:" + file.toUri(), SETTINGS);
    try (Statement statement = connection.createStatement()) {
      for (String pragma : pragmas) {
        statement.execute(pragma);
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public String adapted(String sql) {
    return sql.replace("BIGINT", "INTEGER").replace(" COLLATE \"C\"", "");
  }

  @Override
  public void beginAlone(SqlSession on) {
    on.update("BEGIN IMMEDIATE");
  }

  @Override
  public long begin(SqlSession on) {
    on.update("BEGIN IMMEDIATE");
    on.update("SAVEPOINT work");
    return EventTable.newest(on);
  }

  @Override
  public boolean isRemote() {
    return false;
  }

  @Override
  public void moveSavepoint(SqlSession on) {
    on.update("RELEASE SAVEPOINT work");
    on.update("SAVEPOINT work");
  }

  @Override
  public void commit(SqlSession on, long cursor, boolean moved) {
    if (moved) {
      on.update(MOVE, cursor);
    }
    on.update("COMMIT");
  }

  @Override
  public void afterCommit(int changes) {
    checkpoints.note(changes);
  }

  @Override
  public RuntimeException refusal(SQLException error) {
    if (!(error instanceof SQLiteException sqlite)) {
      return new IllegalStateException(
          "defect: the ledger sent SQL that the database rejects: " + error.getMessage(), error);
    }
    return switch (primary(sqlite.getResultCode())) {
      case SQLITE_FULL ->
          unavailable(error, "free disk space", "the disk is full: free disk space");
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
          unavailable(
              error,
              "one owner of the file",
              "another process has locked " + file + ": stop that process, or wait for it");
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_MISMATCH ->
          unavailable(
              error,
              "a sound SQLite file",
              file + " is damaged or not a ledger: restore a backup, or move it away");
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
          unavailable(
              error,
              "a writable file and folder",
              file + " or its folder cannot be written: fix the permissions or the mount");
      case SQLITE_CANTOPEN ->
          unavailable(
              error,
              "a file that can be opened",
              file + " cannot be opened: check that its folder exists and can be written");
      case SQLITE_IOERR, SQLITE_NOLFS, SQLITE_NOMEM, SQLITE_INTERRUPT ->
          unavailable(
              error, "a disk that works", "reading or writing " + file + " failed: check its disk");
      case SQLITE_CONSTRAINT -> constraint(error);
      default ->
          new IllegalStateException(
              "defect: the ledger sent SQL that the database rejects: " + error.getMessage(),
              error);
    };
  }

  @Override
  public boolean lost(SQLException error) {
    return !(error instanceof SQLiteException sqlite)
        || switch (primary(sqlite.getResultCode())) {
          case SQLITE_FULL, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CONSTRAINT -> false;
          default -> true;
        };
  }

  private static RuntimeException constraint(SQLException error) {
    if (String.valueOf(error.getMessage()).contains("steers.author_group, steers.key")) {
      return StoreErrors.keyTaken(error);
    }
    return new IllegalStateException(
        "defect: a change violates a constraint of the ledger: " + error.getMessage(), error);
  }

  private static RefusedException unavailable(SQLException error, String rule, String message) {
    return StoreErrors.unavailable(error, rule, message);
  }

  /** The primary result code, without the extended part. */
  private static SQLiteErrorCode primary(SQLiteErrorCode code) {
    return SQLiteErrorCode.getErrorCode(code.code & 0xFF);
  }
}
