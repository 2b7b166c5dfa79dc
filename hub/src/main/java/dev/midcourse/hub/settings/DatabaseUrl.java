package dev.midcourse.hub.settings;

import dev.midcourse.core.Problem;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * A PostgreSQL database, written as {@code postgresql://user:password@host:5432/name} and converted
 * for its driver. {@code toString} never shows the password.
 */
public record DatabaseUrl(String jdbc, String user, String password) {

  /** Returns the parts of the URL. Refuses a text that is no URL of a PostgreSQL database. */
  public static DatabaseUrl parse(String text) {
    String plain = text.startsWith("jdbc:") ? text.substring("jdbc:".length()) : text;
    try {
      URI uri = URI.create(plain);
      boolean ours = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
      if (!ours || uri.getHost() == null) {
        throw wrong();
      }
      String[] who =
          uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
      String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return new DatabaseUrl(
          "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query,
          who.length > 0 ? decoded(who[0]) : System.getProperty("user.name", ""),
          who.length > 1 ? decoded(who[1]) : "");
    } catch (IllegalArgumentException e) {
      throw wrong();
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static RuntimeException wrong() {
    return Problem.invalid(
            "database_url",
            "postgresql://user:password@host/name",
            "the database url must be like postgresql://user:password@host/name")
        .refused();
  }

  @Override
  public String toString() {
    return jdbc + " as " + user;
  }
}
