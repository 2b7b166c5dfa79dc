package dev.midcourse.ledger.sql.postgres;

import dev.midcourse.ledger.sql.log.LogTailCache;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Receives the notifications that other hosts send with a commit, and passes the cursor on to the
 * log. A lost connection loses nothing, because the newest cursor is read again after a reconnect
 * and every 10 seconds without a notification.
 */
public final class PostgresNotifications implements AutoCloseable {
  private static final int MAX_WAIT_MILLIS = 10_000;
  private static final int PAUSE_MILLIS = 200;

  private static final System.Logger LOG = System.getLogger(PostgresNotifications.class.getName());

  private final PostgresServer server;
  private final LogTailCache tail;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  /** The current connection; {@link #close} aborts it. */
  private volatile @Nullable Connection listening;

  public PostgresNotifications(PostgresServer server, LogTailCache tail) {
    this.server = server;
    this.tail = tail;
    this.thread =
        Thread.ofPlatform().name("ledger-notifications").daemon().unstarted(this::runListener);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      hangUp();
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the wait for the next notification at once. */
  private void hangUp() {
    @Nullable Connection connection = listening;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.log(System.Logger.Level.DEBUG, "the notification connection was closed already", e);
      }
    }
  }

  private void runListener() {
    while (!over()) {
      try (Connection connection = server.connect()) {
        listening = connection;
        listen(connection);
      } catch (SQLException e) {
        LOG.log(System.Logger.Level.DEBUG, "the notification connection was lost; reconnecting", e);
        pause();
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + channel(statement));
      PGConnection postgres = connection.unwrap(PGConnection.class);
      while (!over()) {
        // Read after LISTEN, so that no commit falls between the two.
        tail.announce(newest(statement));
        receive(postgres);
      }
    }
  }

  /** Passes notifications on, until none arrives for a while. */
  private void receive(PGConnection postgres) throws SQLException {
    PGNotification @Nullable [] received = postgres.getNotifications(MAX_WAIT_MILLIS);
    while (received != null && received.length > 0) {
      for (PGNotification notice : received) {
        tail.announce(Long.parseLong(notice.getParameter()));
      }
      received = postgres.getNotifications(MAX_WAIT_MILLIS);
    }
  }

  private static String channel(Statement statement) throws SQLException {
    return one(statement, "SELECT quote_ident('midcourse_' || current_schema())");
  }

  private static long newest(Statement statement) throws SQLException {
    return Long.parseLong(one(statement, "SELECT value FROM counters WHERE name = 'cursor'"));
  }

  private static String one(Statement statement, String question) throws SQLException {
    try (ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      return answer.getString(1);
    }
  }

  private boolean over() {
    return closing.getCount() == 0;
  }

  private void pause() {
    try {
      closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
