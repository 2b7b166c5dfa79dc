package dev.midcourse.agents.process.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.process.attempt.ProcStat;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcfsTableTest {

  private static final ProcessMarker MARK = ProcessMarker.fresh();

  @TempDir Path proc;
  private ProcfsTable table;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectories(proc.resolve("sys/kernel/random"));
    Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "this-boot\n");
    table = new ProcfsTable(proc);
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void process(long pid, String name, char state, int threads, long start, String environ)
      throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    String stat =
        "%d (%s) %c 7 8 9 0 -1 0 1 2 3 4 5 6 7 8 20 0 %d 0 %d 99 99\n"
            .formatted(pid, name, state, threads, start);
    Files.writeString(folder.resolve("stat"), stat);
    Files.writeString(folder.resolve("environ"), environ);
  }

  @Test
  void a_process_is_read_whatever_its_name() throws Exception {
    process(42, "a) S 1 (b", 'R', 1, 1234, "A=b\0MIDCOURSE_MARK=" + MARK.token() + "\0");
    assertThat(table.entries(0))
        .containsExactly(
            new ProcessEntry(
                new ProcessId(42, 1234), 7, 8, 9, "a) S 1 (b", 'R', false, Optional.of(MARK)));
    assertThat(table.entry(42)).contains(table.entries(0).getFirst());
    assertThat(table.entry(43)).isEmpty();
  }

  @Test
  void only_the_exact_entry_is_a_mark() {
    String token = MARK.token();
    assertThat(ProcfsTable.markIn(("MIDCOURSE_MARK=" + token).getBytes(UTF_8))).contains(MARK);
    assertThat(ProcfsTable.markIn(("X=MIDCOURSE_MARK=" + token + "\0").getBytes(UTF_8))).isEmpty();
    assertThat(ProcfsTable.markIn(("MIDCOURSE_MARKS=" + token + "\0").getBytes(UTF_8))).isEmpty();
    assertThat(ProcfsTable.markIn(("XMIDCOURSE_MARK=" + token + "\0").getBytes(UTF_8))).isEmpty();
    assertThat(ProcfsTable.markIn("MIDCOURSE_MARK=\0".getBytes(UTF_8))).isEmpty();
    assertThat(ProcfsTable.markIn("MIDCOURSE_MARK=a/b\0A=b".getBytes(UTF_8))).isEmpty();
    assertThat(ProcfsTable.markIn(new byte[0])).isEmpty();
  }

  @Test
  void a_mark_behind_a_large_environment_is_read() throws Exception {
    String large = "BIG=" + "x".repeat(300_000) + "\0";
    process(42, "p", 'S', 1, 10, large + "MIDCOURSE_MARK=" + MARK.token() + "\0");
    assertThat(table.entry(42).orElseThrow().mark()).contains(MARK);
  }

  @Test
  void zombies_are_not_alive_but_a_leader_that_left_its_threads_is() throws Exception {
    process(42, "p", 'Z', 1, 10, "");
    process(43, "p", 'Z', 3, 10, "");
    process(44, "p", 'T', 1, 10, "");
    assertThat(table.isAlive(new ProcessId(42, 10))).isFalse();
    assertThat(table.isAlive(new ProcessId(43, 10))).isTrue();
    assertThat(table.isAlive(new ProcessId(44, 10))).isTrue();
    assertThat(table.entry(42).orElseThrow().isAlive()).isFalse();
  }

  @Test
  void a_number_that_was_used_again_is_another_process() throws Exception {
    process(42, "p", 'S', 1, 10, "");
    assertThat(table.isAlive(new ProcessId(42, 10))).isTrue();
    assertThat(table.isAlive(new ProcessId(42, 9))).isFalse();
    assertThat(table.entry(new WrapperRecord(42, "this-boot", true, 10, Instant.EPOCH)))
        .isPresent();
    assertThat(table.entry(new WrapperRecord(42, "this-boot", true, 9, Instant.EPOCH))).isEmpty();
    assertThat(table.entry(new WrapperRecord(42, "last-boot", true, 10, Instant.EPOCH))).isEmpty();
  }

  @Test
  void marks_of_processes_that_are_too_old_to_matter_are_not_read() throws Exception {
    String environ = "MIDCOURSE_MARK=" + MARK.token() + "\0";
    process(42, "p", 'S', 1, 10, environ);
    process(43, "p", 'S', 1, 11, environ);
    List<ProcessEntry> marked =
        table.entries(11).stream().filter(entry -> entry.mark().isPresent()).toList();
    assertThat(marked).extracting(ProcessEntry::pid).containsExactly(43L);
  }

  @Test
  void a_malformed_line_of_the_table_is_refused() {
    assertThatThrownBy(() -> ProcStat.parse("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ProcStat.parse("1 (a) S 1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(WrapperRecord.parse("", Instant.EPOCH)).isEmpty();
    assertThat(WrapperRecord.parse("x y z", Instant.EPOCH)).isEmpty();
    assertThat(WrapperRecord.parse("1 boot ", Instant.EPOCH)).isEmpty();
    assertThat(WrapperRecord.parse("-1 boot ", Instant.EPOCH)).isEmpty();
    assertThat(WrapperRecord.parse("42 boot - ", Instant.EPOCH))
        .contains(new WrapperRecord(42, "boot", false, -1, Instant.EPOCH));
  }
}
