package dev.midcourse.ledger.sql;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.jdbc.Migrations;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import dev.midcourse.ledger.sql.log.LogTailCache;
import dev.midcourse.ledger.sql.sqlite.SqliteDialect;
import dev.midcourse.ledger.sql.sqlite.SqliteIntegrityCheck;
import dev.midcourse.ledger.sql.sqlite.SqliteReadConnections;
import dev.midcourse.ledger.sql.table.EventTable;
import dev.midcourse.ledger.sql.write.GroupCommit;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Opens a ledger in one SQLite file. */
public final class SqliteLedger {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final FileAttribute<?>[] OWNER_ONLY =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  private SqliteLedger() {}

  /**
   * Opens the file; creates it and its folder if they do not exist. Refuses a file that cannot be
   * used with code {@code UNAVAILABLE} and does not change it.
   */
  public static Ledger open(Path file) {
    return open(file, TIMEOUT);
  }

  static Ledger open(Path file, Duration lockTimeout) {
    Path place = file.toAbsolutePath().normalize();
    make(place);
    SqliteDialect dialect = new SqliteDialect(place, lockTimeout);
    SqlSession writing = connect(dialect);
    try {
      SqliteIntegrityCheck.sound(writing, place);
      Migrations.bring(writing, dialect, Instant.now());
      return opened(dialect, writing);
    } catch (RuntimeException e) {
      writing.close();
      throw e;
    }
  }

  private static Ledger opened(SqliteDialect dialect, SqlSession writing) {
    LogTailCache tail = new LogTailCache(EventTable.newest(writing));
    GroupCommit writer = new GroupCommit(dialect, writing, tail);
    Ledger ledger =
        new SqlLedger(
            writer,
            new SqliteReadConnections(dialect),
            tail,
            Optional.empty(),
            dialect.checkpoints()::close);
    writer.start();
    dialect.checkpoints().start();
    return ledger;
  }

  private static SqlSession connect(SqliteDialect dialect) {
    try {
      return new SqlSession(dialect.connectToWrite(), dialect);
    } catch (SQLException e) {
      throw dialect.refusal(e);
    }
  }

  /** Creates the file with access for the owner only, because it contains prompts and output. */
  private static void make(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw Problem.of(
                Code.UNAVAILABLE,
                "ledger",
                "a file",
                file + " is a folder; give the path of a file in it")
            .refused();
      }
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.createFile(file, OWNER_ONLY);
    } catch (FileAlreadyExistsException _) {
      // The existing file is opened.
    } catch (IOException e) {
      throw StoreErrors.unavailable(
          e,
          "a folder that can be written",
          file + " cannot be created: check that its folder exists and can be written");
    }
  }
}
