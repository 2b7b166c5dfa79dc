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
 * Refuses a PostgreSQL server whose settings allow that a power cut loses confirmed commits, unless
 * the database URL accepts this.
 */
final class PostgresDurabilityCheck {
  /** A part of the URL, because the operator accepts the risk for one server only. */
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
                + " off, so a power cut may lose confirmed commits: switch it on in"
                + " postgresql.conf and reload the server; or, if that loss is acceptable,"
                + " add ?"
                + SETTING
                + "="
                + ACCEPTED
                + " to the database url")
        .refused();
  }
}
