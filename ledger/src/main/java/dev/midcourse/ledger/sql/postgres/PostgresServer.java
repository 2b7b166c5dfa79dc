package dev.midcourse.ledger.sql.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Where the PostgreSQL is and how to get in; connections of our own making come from here.
 *
 * @param patience how long to wait for another host that writes
 */
public record PostgresServer(String url, String user, String password, Duration patience) {
  private static final Duration MAX_DOUBT = Duration.ofSeconds(10);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

  private static final System.Logger LOG = System.getLogger(PostgresServer.class.getName());

  /** A connection that begins a transaction with its first statement. */
  Connection connect() throws SQLException {
    @Nullable Connection connection = new Driver().connect(url, properties());
    if (connection == null) {
      throw new SQLException("an address begins with jdbc:postgresql:", "08001");
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(manners());
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** The same, from a server that keeps what it confirms. */
  Connection connectToWrite() throws SQLException {
    Connection connection = connect();
    try {
      PostgresDurabilityCheck.check(connection, url);
      connection.rollback();
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * A lock that is not given in time is an error, and so is a host that goes silent while it holds
   * one: nobody waits for ever. Commits are on disk before they are told, whatever the server's own
   * setting is.
   */
  private String manners() {
    return """
    SET lock_timeout = %d;
    SET idle_in_transaction_session_timeout = '30s';
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'
    """
        .formatted(patience.toMillis());
  }

  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("ApplicationName", "midcourse");
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "60");
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }

  /**
   * Whether a transaction whose commit was never answered was committed. Asks until the server
   * knows; in doubt it is not, and the caller is told that it could not be written.
   */
  boolean committed(String transaction) {
    long until = System.nanoTime() + MAX_DOUBT.toNanos();
    while (System.nanoTime() < until) {
      try {
        String status = status(transaction);
        if (!status.equals("in progress")) {
          return status.equals("committed");
        }
      } catch (SQLException e) {
        LOG.log(System.Logger.Level.DEBUG, "the server cannot be asked yet", e);
      }
      pause();
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "the connection was lost during a commit, and whether it was kept could not be found out");
    return false;
  }

  private String status(String transaction) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement ask =
            connection.prepareStatement("SELECT coalesce(pg_xact_status(?::xid8), 'unknown')")) {
      ask.setString(1, transaction);
      try (ResultSet answer = ask.executeQuery()) {
        answer.next();
        return answer.getString(1);
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(BETWEEN_TRIES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The password is nobody's business. */
  @Override
  public String toString() {
    return "PostgreSQL as " + user;
  }
}
