package dev.midcourse.ledger.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.midcourse.core.RefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/** A pool of PostgreSQL connections that only read. */
final class PostgresReaders implements Readers {
  private static final int MOST = 8;

  private final Dialect dialect;
  private final HikariDataSource pool;

  PostgresReaders(PostgresServer server, Dialect dialect) {
    this.dialect = dialect;
    HikariConfig config = new HikariConfig();
    config.setPoolName("ledger-readers");
    config.setJdbcUrl(server.url());
    config.setDataSourceProperties(server.properties());
    config.setMaximumPoolSize(MOST);
    config.setMinimumIdle(1);
    config.setAutoCommit(false);
    config.setReadOnly(true);
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    config.setConnectionTimeout(5_000);
    config.setInitializationFailTimeout(-1);
    pool = new HikariDataSource(config);
  }

  /** A look that found its connection dead has seen nothing, and looks again. */
  @Override
  public <T> T with(Function<Statements, T> look) {
    try {
      return once(look);
    } catch (RefusedException refused) {
      if (refused.getCause() instanceof SQLException cause && dialect.lost(cause)) {
        // What ended one connection has ended its neighbours too: the next look makes its own.
        pool.getHikariPoolMXBean().softEvictConnections();
        return once(look);
      }
      throw refused;
    }
  }

  private <T> T once(Function<Statements, T> look) {
    if (pool.isClosed()) {
      throw Refusals.closed();
    }
    try (Connection connection = pool.getConnection()) {
      T seen = look.apply(new Statements(connection, dialect));
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
