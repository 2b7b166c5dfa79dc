package dev.midcourse.ledger.sql.postgres;

import dev.midcourse.ledger.RetryDelay;
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
 * The address and the login of a PostgreSQL server; opens connections outside of the pool.
 *
 * @param lockTimeout the lock timeout, for another host that writes
 */
public record PostgresServer(String url, String user, String password, Duration lockTimeout) {
  private static final Duration COMMIT_CHECK_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

  private static final System.Logger LOG = System.getLogger(PostgresServer.class.getName());

  /** Opens a connection that begins a transaction with its first statement. */
  Connection connect() throws SQLException {
    @Nullable Connection connection = new Driver().connect(url, properties());
    if (connection == null) {
      throw new SQLException("an address begins with jdbc:postgresql:", "08001");
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sessionSettings());
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Like {@link #connect}; refuses a server that may lose commits in a power cut. */
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
   * The settings of each connection. A lock timeout and an idle timeout, so that no host waits for
   * ever for a lock. Synchronous commits, even if the server's default is off.
   */
  private String sessionSettings() {
    return """
    SET lock_timeout = %d;
    SET idle_in_transaction_session_timeout = '30s';
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'
    """
        .formatted(lockTimeout.toMillis());
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
   * Whether a transaction is committed whose connection was lost during the commit. Asks until the
   * server knows. After {@link #COMMIT_CHECK_TIMEOUT} the answer is no, and the caller gets an
   * error.
   */
  boolean committed(String transaction) {
    long until = System.nanoTime() + COMMIT_CHECK_TIMEOUT.toNanos();
    while (System.nanoTime() < until) {
      try {
        String status = status(transaction);
        if (!status.equals("in progress")) {
          return status.equals("committed");
        }
      } catch (SQLException e) {
        LOG.log(
            System.Logger.Level.DEBUG,
            "the state of the transaction cannot be read yet; trying again",
            e);
      }
      RetryDelay.sleep(RETRY_INTERVAL);
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

  /** Without the password. */
  @Override
  public String toString() {
    return "PostgreSQL as " + user;
  }
}
