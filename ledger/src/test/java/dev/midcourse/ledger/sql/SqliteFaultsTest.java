package dev.midcourse.ledger.sql;

import static dev.midcourse.ledger.sql.SchemaSuite.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.sql.sqlite.SqliteDialect;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a SQLite file does when its disk, its neighbours or its own bytes are against it. */
class SqliteFaultsTest {
  private static final RunId RUN = RunId.of("r");

  @TempDir Path folder;

  @Test
  void a_commit_is_on_the_disk_before_it_is_reported() throws SQLException {
    Path file = folder.resolve("ledger.db");
    SqliteLedger.open(file).close();
    try (Connection writing = new SqliteDialect(file, Duration.ofSeconds(1)).connectToWrite()) {
      assertThat(pragma(writing, "synchronous")).isEqualTo("2");
      assertThat(pragma(writing, "journal_mode")).isEqualTo("wal");
      assertThat(pragma(writing, "foreign_keys")).isEqualTo("1");
    }
  }

  @Test
  void a_full_disk_refuses_the_work_keeps_what_was_there_and_continues_when_there_is_room()
      throws Exception {
    try (Mount disk = Mount.ofSize(folder.resolve("small"), "2m")) {
      Path ballast = disk.folder().resolve("ballast");
      Files.write(ballast, new byte[512 * 1024]);
      Ledger ledger = SqliteLedger.open(disk.folder().resolve("ledger.db"));
      try (ledger) {
        int kept = fill(ledger);
        assertThat(kept).isPositive();
        assertThatThrownBy(() -> note(ledger, "x".repeat(200_000)))
            .satisfies(unavailable("the disk is full", "nothing was changed"));
        assertThat(ledger.log().after(0, Filter.ALL, 10_000).entries()).hasSize(kept);
        assertThat(ledger.log().newest()).isEqualTo(kept);

        Files.delete(ballast);
        note(ledger, "room again");
        assertThat(ledger.log().newest()).isEqualTo(kept + 1L);
      }
      try (Ledger again = SqliteLedger.open(disk.folder().resolve("ledger.db"))) {
        assertThat(again.log().newest()).isGreaterThan(1);
      }
    }
  }

  @Test
  void a_file_that_another_process_holds_is_refused_and_used_again_when_it_is_free()
      throws Exception {
    Path file = folder.resolve("ledger.db");
    try (Ledger ledger = SqliteLedger.open(file, Duration.ofMillis(200))) {
      note(ledger, "before");
      Process holder = holder(file);
      try {
        assertThat(holder.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("held");
        assertThatThrownBy(() -> note(ledger, "while it is held"))
            .satisfies(unavailable("another process has locked", "ledger.db"));
        assertThatThrownBy(() -> SqliteLedger.open(file, Duration.ofMillis(200)))
            .satisfies(unavailable("another process has locked"));
        assertThat(ledger.log().last(Filter.ALL, 9).entries()).as("reading goes on").hasSize(1);
      } finally {
        holder.destroyForcibly();
        holder.onExit().join();
      }
      note(ledger, "after");
      assertThat(ledger.log().newest()).isEqualTo(2);
    }
  }

  @Test
  void two_ledgers_on_one_file_lose_nothing_of_each_other() throws Exception {
    Path file = folder.resolve("ledger.db");
    try (Ledger one = SqliteLedger.open(file);
        Ledger two = SqliteLedger.open(file)) {
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 50; i++) {
              note(two, "two");
            }
          });
      for (int i = 0; i < 50; i++) {
        note(one, "one");
      }
      other.join();
      note(one, "last");
      assertThat(one.log().after(0, Filter.ALL, 1_000).entries())
          .extracting(entry -> entry.cursor())
          .hasSize(101)
          .isSorted()
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void a_file_that_is_no_database_is_refused_and_left_as_it_is() throws IOException {
    Path file = folder.resolve("notes.txt");
    String text = "These are my notes.\n".repeat(500);
    Files.writeString(file, text);
    assertThatThrownBy(() -> SqliteLedger.open(file))
        .satisfies(unavailable("damaged or not a ledger", "notes.txt"));
    assertThat(file).hasContent(text);
  }

  @Test
  void a_damaged_file_is_refused_when_it_is_opened() throws IOException {
    Path file = folder.resolve("ledger.db");
    written(file, 50, 2_000);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (long page = 1; page * 4_096 < bytes.length(); page++) {
        bytes.seek(page * 4_096);
        bytes.write("garbage garbage garbage".getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThatThrownBy(() -> SqliteLedger.open(file))
        .satisfies(unavailable("damaged", "restore a backup"));
  }

  @Test
  void a_file_that_lost_its_end_is_refused_when_it_is_opened() throws IOException {
    Path file = folder.resolve("ledger.db");
    written(file, 50, 2_000);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(bytes.length() / 2);
    }
    assertThatThrownBy(() -> SqliteLedger.open(file)).satisfies(unavailable("damaged"));
  }

  @Test
  void damage_that_only_shows_while_reading_is_reported_as_damage() throws IOException {
    Path file = folder.resolve("ledger.db");
    written(file, 120, 200_000);
    assertThat(Files.size(file)).as("too large to be looked through").isGreaterThan(20_000_000);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (long at = 8_000_000; at < 12_000_000; at += 4_096) {
        bytes.seek(at);
        bytes.write(new byte[4_096]);
      }
    }
    try (Ledger ledger = SqliteLedger.open(file)) {
      assertThatThrownBy(() -> ledger.log().after(0, Filter.ALL, 1_000))
          .satisfies(unavailable("damaged"));
    }
  }

  @Test
  void a_folder_that_cannot_be_written_is_refused() throws Exception {
    try (Mount disk = Mount.ofSize(folder.resolve("readonly"), "2m")) {
      Path old = disk.folder().resolve("old.db");
      SqliteLedger.open(old).close();
      disk.readOnly();
      assertThatThrownBy(() -> SqliteLedger.open(disk.folder().resolve("new.db")))
          .satisfies(unavailable("cannot be created", "check that its folder"));
      assertThatThrownBy(() -> SqliteLedger.open(old))
          .satisfies(unavailable("cannot be", "old.db"));
    }
  }

  @Test
  void a_folder_in_the_place_of_the_file_is_refused() {
    assertThatThrownBy(() -> SqliteLedger.open(folder)).satisfies(unavailable("is a folder"));
  }

  /** Writes until the disk is full; returns how many were kept. */
  private static int fill(Ledger ledger) {
    for (int kept = 0; true; kept++) {
      try {
        note(ledger, "x".repeat(20_000));
      } catch (RefusedException full) {
        return kept;
      }
    }
  }

  private static void note(Ledger ledger, String text) {
    ledger.write(tx -> LogSuite.append(tx, RUN, text));
  }

  private static void written(Path file, int entries, int length) {
    try (Ledger ledger = SqliteLedger.open(file)) {
      for (int i = 0; i < entries; i++) {
        note(ledger, "x".repeat(length));
      }
    }
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    try (ResultSet answer = connection.createStatement().executeQuery("PRAGMA " + name)) {
      return answer.getString(1);
    }
  }

  private static Process holder(Path file) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                file.toString()))
        .redirectError(Redirect.INHERIT)
        .start();
  }
}
