package dev.midcourse.agents.process.tree;

import static dev.midcourse.agents.process.HostedPrograms.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.os.Libc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that must not get a signal: strangers, and processes that have got the number of a
 * member.
 */
final class SignalsTest {

  private static final Duration SHORT = Duration.ofMillis(50);

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();
  @TempDir Path folder;

  private Process stranger;
  private ProcessId strangerId;
  private ProcfsTable table;

  @BeforeEach
  void start() throws Exception {
    stranger = new ProcessBuilder("sleep", "60").start();
    table = new ProcfsTable(Path.of("/proc"));
    strangerId = table.entry(stranger.pid()).orElseThrow().id();
  }

  @AfterEach
  void end() throws Exception {
    stranger.destroyForcibly().waitFor();
    table.close();
  }

  @Test
  void a_signal_goes_to_the_very_process_and_not_to_one_with_its_number() {
    for (Optional<Libc> libc : java.util.List.of(Libc.load(), Optional.<Libc>empty())) {
      Signals signals = new Signals(table, libc);
      signals.kill(new ProcessId(strangerId.pid(), strangerId.start() - 1));
      signals.term(new ProcessId(strangerId.pid(), strangerId.start() + 1));
      assertThat(stranger.isAlive()).isTrue();
      assertThat(table.isAlive(strangerId)).isTrue();
    }
    new Signals(table, Libc.load()).term(strangerId);
    await(() -> assertThat(stranger.isAlive()).isFalse());
  }

  @Test
  void init_all_processes_and_this_process_cannot_be_signalled() {
    Libc libc = Libc.load().orElseThrow();
    for (long pid : new long[] {0, 1, -1, ProcessHandle.current().pid()}) {
      assertThatThrownBy(() -> libc.kill(pid, 0)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_folder_that_names_a_stranger_as_its_wrapper_does_not_endanger_it() throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    AttemptFolder attempt = programs.folder(mark);
    String stat = Files.readString(Path.of("/proc/" + stranger.pid() + "/stat"));
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    Files.writeString(
        attempt.file(AttemptFolder.PID),
        stranger.pid() + " " + boot + " adopts " + stat.substring(stat.lastIndexOf(')') + 2));
    StopTimeouts grace = new StopTimeouts(Duration.ZERO, SHORT, SHORT);
    assertThat(programs.host().tree(attempt, mark).end(grace, () -> {}))
        .isInstanceOfSatisfying(
            TreeKillResult.Ended.class, ended -> assertThat(ended.processes()).isZero());
    assertThat(programs.host().find(attempt, mark)).isInstanceOf(AttachResult.Over.class);
    assertThat(stranger.isAlive()).isTrue();
  }

  @Test
  void one_that_cannot_be_ended_is_named_as_a_survivor() throws Exception {
    ProcessMarker mark = ProcessMarker.fresh();
    AttemptFolder attempt = programs.folder(mark);
    Path proc = Files.createDirectories(folder.resolve("proc"));
    Files.createDirectories(proc.resolve("sys/kernel/random"));
    Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot\n");
    // A number beyond all that Linux gives: no signal arrives there, and it stays in the table.
    long pid = (1L << 22) + 7;
    Path process = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        process.resolve("stat"),
        pid + " (stuck) D 1 9 9 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 77 99 99\n");
    Files.writeString(process.resolve("environ"), "MIDCOURSE_MARK=" + mark.token() + "\0");
    try (ProcfsTable stuck = new ProcfsTable(proc)) {
      ProcessTree tree = new ProcessTree(stuck, Libc.load(), attempt, mark);
      assertThat(tree.end(new StopTimeouts(SHORT, SHORT, SHORT), () -> {}))
          .isInstanceOfSatisfying(
              TreeKillResult.Survived.class,
              survived ->
                  assertThat(survived.survivors())
                      .containsExactly(new LiveProcess(pid, "stuck", 'D')));
    }
  }
}
