package dev.midcourse.ledger.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A process that takes the write lock of a SQLite file, says so, and keeps it until it is ended.
 */
final class LockHolder {
  private LockHolder() {}

  public static void main(String[] words) throws SQLException, IOException {
    String url = new Place.Sqlite(Path.of(words[0])).url();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN EXCLUSIVE");
      System.out.println("held");
      // Its starter ends it; if the starter dies, so does its input.
      int end = System.in.read();
      System.exit(end);
    }
  }
}
