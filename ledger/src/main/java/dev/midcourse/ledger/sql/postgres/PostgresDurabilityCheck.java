package dev.midcourse.ledger.sql.postgres;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Whether a PostgreSQL still has after a power cut what it has confirmed. One that may not have it
 * is refused, unless whoever names it says that this is accepted.
 */
final class PostgresDurabilityCheck {
  /** Said in the address, because it is said of one server and not of whichever comes next. */
  private static final String SETTING = "unsynced";

  private static final String ACCEPTED = "accepted";

  private static final String OFF =
      """
      SELECT name FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
      """;

  private PostgresDurabilityCheck() {}

  static void check(Connection connection, String url) throws SQLException {
    List<String> off = off(connection);
    if (!off.isEmpty() && !accepted(url)) {
      throw refused(String.join(" and ", off));
    }
  }

  private static List<String> off(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(OFF)) {
      List<String> off = new ArrayList<>();
      while (result.next()) {
        off.add(result.getString(1));
      }
      return off;
    }
  }

  private static boolean accepted(String url) {
    @Nullable Properties said = Driver.parseURL(url, new Properties());
    return said != null && ACCEPTED.equals(said.getProperty(SETTING));
  }

  private static RuntimeException refused(String settings) {
    return Problem.of(
            Code.UNAVAILABLE,
            "ledger",
            "a PostgreSQL that keeps what it has confirmed",
            "PostgreSQL runs with "
                + settings
                + " off, so a power cut may take what was confirmed: switch it on in"
                + " postgresql.conf and reload the server; or, if its storage is safe without or"
                + " nothing in it matters, add ?"
                + SETTING
                + "="
                + ACCEPTED
                + " to the database url")
        .refused();
  }
}
