package dev.midcourse.ledger.sql.postgres;

import dev.midcourse.ledger.StoreLock;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Advisory locks of PostgreSQL. Each has a connection of its own: the server releases the lock when
 * the connection ends, so that no lease has to be renewed or to run out.
 */
public final class PostgresLocks {
  private static final System.Logger LOG = System.getLogger(PostgresLocks.class.getName());
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);
  private static final int CHECK_TIMEOUT_SECONDS = 5;

  /** The schema is part of the key, since several ledgers may be in one database. */
  private static final String LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || ':' || ?, 0))";

  private final PostgresServer server;

  public PostgresLocks(PostgresServer server) {
    this.server = server;
  }

  /**
   * Takes the lock if it is free. A server that cannot be reached counts as a lock that is held.
   */
  public Optional<StoreLock> tryLock(String name) {
    try {
      Connection connection = server.connect();
      try {
        connection.setAutoCommit(true);
        if (lock(connection, name)) {
          return Optional.of(new HeldLock(connection));
        }
        connection.close();
        return Optional.empty();
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The lock " + name + " cannot be asked for now.", e);
      return Optional.empty();
    }
  }

  private static boolean lock(Connection connection, String name) throws SQLException {
    try (PreparedStatement ask = connection.prepareStatement(LOCK)) {
      ask.setString(1, name);
      try (ResultSet answer = ask.executeQuery()) {
        return answer.next() && answer.getBoolean(1);
      }
    }
  }

  private static final class HeldLock implements StoreLock {
    private final Connection connection;

    /** Guarded by this object, like the connection. */
    private long checkedNanos = System.nanoTime();

    private boolean open = true;

    private HeldLock(Connection connection) {
      this.connection = connection;
    }

    /** Asks the server, at most once in {@link #CHECK_INTERVAL}. */
    @Override
    public synchronized boolean isHeld() {
      if (open && System.nanoTime() - checkedNanos > CHECK_INTERVAL.toNanos()) {
        checkedNanos = System.nanoTime();
        try {
          if (!connection.isValid(CHECK_TIMEOUT_SECONDS)) {
            close();
          }
        } catch (SQLException e) {
          close();
        }
      }
      return open;
    }

    @Override
    public synchronized void close() {
      if (open) {
        open = false;
        try {
          connection.close();
        } catch (SQLException e) {
          LOG.log(Level.DEBUG, "Closing the connection of a lock failed.", e);
        }
      }
    }
  }
}
