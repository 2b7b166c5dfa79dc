package dev.midcourse.ledger.sql.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.midcourse.core.RefusedException;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.ReadConnections;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/** A pool of PostgreSQL connections for reading. */
public final class PostgresReadConnections implements ReadConnections {
  private static final int MAX = 8;

  private final Dialect dialect;
  private final HikariDataSource pool;

  public PostgresReadConnections(PostgresServer server, Dialect dialect) {
    this.dialect = dialect;
    HikariConfig config = new HikariConfig();
    config.setPoolName("ledger-readers");
    config.setJdbcUrl(server.url());
    config.setDataSourceProperties(server.properties());
    config.setMaximumPoolSize(MAX);
    config.setMinimumIdle(1);
    config.setAutoCommit(false);
    config.setReadOnly(true);
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    config.setConnectionTimeout(5_000);
    config.setInitializationFailTimeout(-1);
    pool = new HikariDataSource(config);
  }

  /** Runs the query. If its connection was lost, runs it once more on a new connection. */
  @Override
  public <T> T with(Function<SqlSession, T> look) {
    try {
      return once(look);
    } catch (RefusedException refused) {
      if (refused.getCause() instanceof SQLException cause && dialect.lost(cause)) {
        // The other connections are probably lost too, so the pool replaces them.
        pool.getHikariPoolMXBean().softEvictConnections();
        return once(look);
      }
      throw refused;
    }
  }

  private <T> T once(Function<SqlSession, T> look) {
    if (pool.isClosed()) {
      throw StoreErrors.closed();
    }
    try (Connection connection = pool.getConnection()) {
      T seen = look.apply(new SqlSession(connection, dialect));
      connection.commit();
      return seen;
    } catch (SQLException e) {
      throw dialect.refusal(e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
