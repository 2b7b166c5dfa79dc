package dev.midcourse.ledger.sql.sqlite;

import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * Checks the file for damage before the first write. Files above a size limit are not checked, so
 * that opening a large ledger stays fast.
 */
public final class SqliteIntegrityCheck {
  private static final long MAX_BYTES_LOOKED_THROUGH = 16L * 1024 * 1024;

  private SqliteIntegrityCheck() {}

  public static void sound(SqlSession on, Path file) {
    if (size(file) > MAX_BYTES_LOOKED_THROUGH) {
      return;
    }
    List<String> found = on.all("PRAGMA quick_check(3)", row -> row.text("quick_check"));
    if (!found.equals(List.of("ok"))) {
      throw StoreErrors.unavailable(
          new SQLException(String.join("; ", found)),
          "a sound SQLite file",
          file + " is damaged: restore a backup, or move it away");
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
