package dev.midcourse.ledger.sql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One real PostgreSQL for all tests of this process; each place in it is a schema of its own. */
public final class TestPostgres {
  private static final String USER = "postgres";
  private static final AtomicInteger PLACES = new AtomicInteger();

  private TestPostgres() {}

  private static final class Running {
    static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public static Place newPlace() {
    String schema = "place_" + PLACES.incrementAndGet();
    execute("CREATE SCHEMA " + schema);
    return new Place.Postgres(url() + "&unsynced=accepted&currentSchema=" + schema, USER);
  }

  /** The server does not sync its disk: what it keeps is thrown away with it. */
  public static String url() {
    return Running.SERVER.getJdbcUrl(USER, USER);
  }

  public static int port() {
    return Running.SERVER.getPort();
  }

  static void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
