package dev.midcourse.ledger.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * Looks for damage before anything is written to the file. A small file is looked through; of a
 * large one only what every start reads, so that opening does not take longer with the years.
 */
final class SqliteCheck {
  private static final long MOST_BYTES_LOOKED_THROUGH = 16L * 1024 * 1024;

  private SqliteCheck() {}

  static void sound(Statements on, Path file) {
    if (size(file) > MOST_BYTES_LOOKED_THROUGH) {
      return;
    }
    List<String> found = on.all("PRAGMA quick_check(3)", Row::text);
    if (!found.equals(List.of("ok"))) {
      throw Refusals.unavailable(
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
