package dev.midcourse.agents.process.input;

import static dev.midcourse.agents.process.HostedPrograms.SOON;
import static dev.midcourse.agents.process.HostedPrograms.TIMEOUT;
import static dev.midcourse.agents.process.HostedPrograms.await;
import static dev.midcourse.agents.process.HostedPrograms.awaitOutput;
import static dev.midcourse.agents.process.HostedPrograms.exitOf;
import static dev.midcourse.agents.process.HostedPrograms.output;
import static dev.midcourse.agents.process.HostedPrograms.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.Seed;
import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import dev.midcourse.agents.process.os.Libc;
import dev.midcourse.agents.process.tree.StopTimeouts;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class FifoInputTest {

  /** Prints the length of each line that it reads, after a file tells it to begin. */
  private static final String READER =
      """
      $| = 1; print "up\\n";
      until (-e "go") { select(undef, undef, undef, 0.002) }
      while (<STDIN>) { chomp; print length($_), " ", substr($_, 0, 4), "\\n" }
      """;

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();

  private HostedProcess sleepingReader() throws Exception {
    HostedProcess program = programs.perl(READER);
    awaitOutput(program, "up");
    return program;
  }

  private void wakeReader() throws Exception {
    Files.createFile(programs.root().resolve("go"));
  }

  private static byte[] line(char message, int length) {
    byte[] line = new byte[length + 1];
    Arrays.fill(line, (byte) message);
    line[length] = '\n';
    return line;
  }

  private static FifoInput inputWithPipesUpTo(int largest, HostedProcess program) {
    return new FifoInput(Libc.load().orElseThrow(), program.folder(), () -> false, largest);
  }

  @Test
  void a_frame_of_600_kib_is_taken_whole_by_a_program_that_does_not_read_yet() throws Exception {
    HostedProcess program = sleepingReader();
    assertThat(program.write(line('a', 600 * 1024), Duration.ZERO))
        .isEqualTo(new InputWriteResult.Written());
    wakeReader();
    awaitOutput(program, 600 * 1024 + " aaaa\n");
  }

  @Test
  void nothing_of_a_frame_is_written_when_there_is_no_room_for_all_of_it() throws Exception {
    HostedProcess program = sleepingReader();
    int taken = 0;
    InputWriteResult last = new InputWriteResult.Written();
    while (last instanceof InputWriteResult.Written) {
      last = program.write(line('a', 100_000), Duration.ZERO);
      taken += last instanceof InputWriteResult.Written ? 1 : 0;
    }
    assertThat(last).isEqualTo(new InputWriteResult.Full());
    assertThat(taken).isPositive();
    assertThat(program.write(line('b', 100_000), SOON)).isEqualTo(new InputWriteResult.Full());
    wakeReader();
    assertThat(program.write(line('c', 100_000), TIMEOUT))
        .isEqualTo(new InputWriteResult.Written());
    awaitOutput(program, "cccc\n");
    assertThat(output(program)).isEqualTo("up\n" + "100000 aaaa\n".repeat(taken) + "100000 cccc\n");
  }

  @Test
  void a_waiting_frame_is_written_when_the_program_reads_on() throws Exception {
    HostedProcess program = sleepingReader();
    while (program.write(line('a', 50_000), Duration.ZERO) instanceof InputWriteResult.Written) {}
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = executor.submit(() -> program.write(line('b', 50_000), TIMEOUT));
      wakeReader();
      assertThat(waiting.get()).isEqualTo(new InputWriteResult.Written());
    }
    awaitOutput(program, "50000 bbbb\n");
  }

  @Test
  void frames_of_many_writers_do_not_mix() throws Exception {
    HostedProcess program = sleepingReader();
    wakeReader();
    List<Callable<InputWriteResult>> writes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] frame = line((char) ('a' + i % 26), 1 + i * 200);
      writes.add(() -> program.write(frame, TIMEOUT));
    }
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var write : executor.invokeAll(writes)) {
        assertThat(write.get()).isEqualTo(new InputWriteResult.Written());
      }
    }
    write(program, "end\n");
    awaitOutput(program, "3 end\n");
    List<String> expected = new ArrayList<>(List.of("up", "3 end"));
    for (int i = 0; i < 200; i++) {
      int length = 1 + i * 200;
      expected.add(
          length + " " + String.valueOf((char) ('a' + i % 26)).repeat(Math.min(4, length)));
    }
    assertThat(output(program).lines()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void a_frame_larger_than_any_pipe_is_written_as_the_program_reads() throws Exception {
    HostedProcess program = sleepingReader();
    wakeReader();
    assertThat(program.write(line('z', 5_000_000), TIMEOUT))
        .isEqualTo(new InputWriteResult.Written());
    assertThat(program.isInputTorn()).isFalse();
    awaitOutput(program, "5000000 zzzz\n");
  }

  @Test
  void a_large_frame_that_stops_half_way_is_reported_as_torn_and_finished_before_the_next()
      throws Exception {
    HostedProcess program = sleepingReader();
    InputWriteResult torn = program.write(line('z', 5_000_000), SOON);
    assertThat(torn)
        .isInstanceOfSatisfying(
            InputWriteResult.Torn.class, t -> assertThat(t.bytes()).isPositive());
    assertThat(program.isInputTorn()).isTrue();
    assertThat(program.write(line('y', 10), SOON)).isEqualTo(new InputWriteResult.Full());
    wakeReader();
    assertThat(program.write(line('x', 10), TIMEOUT)).isEqualTo(new InputWriteResult.Written());
    assertThat(program.isInputTorn()).isFalse();
    awaitOutput(program, "10 xxxx\n");
    assertThat(output(program)).isEqualTo("up\n5000000 zzzz\n10 xxxx\n");
  }

  @Test
  void the_rest_of_a_torn_frame_follows_by_itself_when_the_program_reads_on() throws Exception {
    HostedProcess program = sleepingReader();
    assertThat(program.write(line('z', 5_000_000), SOON)).isInstanceOf(InputWriteResult.Torn.class);
    wakeReader();
    awaitOutput(program, "5000000 zzzz\n");
    await(() -> assertThat(program.isInputTorn()).isFalse());
  }

  @Test
  void a_torn_input_is_known_to_the_next_hub_until_it_has_written() throws Exception {
    HostedProcess program = sleepingReader();
    assertThat(program.write(line('z', 5_000_000), SOON)).isInstanceOf(InputWriteResult.Torn.class);
    program.close();
    try (ProcessHost nextHub = ProcessHost.open()) {
      AttachResult found = nextHub.find(program.folder(), program.mark());
      assertThat(found).isInstanceOf(AttachResult.Alive.class);
      HostedProcess again = ((AttachResult.Alive) found).program();
      assertThat(again.isInputTorn()).isTrue();
      wakeReader();
      assertThat(again.write("\nnew\n".getBytes(UTF_8), TIMEOUT))
          .isEqualTo(new InputWriteResult.Written());
      assertThat(again.isInputTorn()).isFalse();
      awaitOutput(program, "3 new\n");
      again.close();
    }
  }

  @Test
  void a_frame_that_a_small_pipe_cannot_take_waits_untouched_or_goes_in_parts() throws Exception {
    HostedProcess program = sleepingReader();
    FifoInput small = inputWithPipesUpTo(1 << 16, program);
    assertThat(small.write(line('a', 60_000), SOON)).isEqualTo(new InputWriteResult.Written());
    assertThat(small.write(line('b', 60_000), SOON)).isEqualTo(new InputWriteResult.Full());
    wakeReader();
    assertThat(small.write(line('c', 600_000), TIMEOUT)).isEqualTo(new InputWriteResult.Written());
    awaitOutput(program, "600000 cccc\n");
    assertThat(output(program)).isEqualTo("up\n60000 aaaa\n600000 cccc\n");
  }

  @Test
  void a_pipe_that_grew_for_a_large_frame_is_small_again_afterwards() throws Exception {
    HostedProcess program = sleepingReader();
    wakeReader();
    program.write(line('a', 600_000), TIMEOUT);
    awaitOutput(program, "aaaa\n");
    program.write(line('b', 10), TIMEOUT);
    Libc libc = Libc.load().orElseThrow();
    int pipe = libc.openFifo(program.folder().file(AttemptFolder.IN).toString());
    try {
      assertThat(libc.pipeCapacity(pipe)).isEqualTo(1 << 16);
    } finally {
      libc.close(pipe);
    }
  }

  /** Seen to fail when FifoInput opens the pipe without asking whether the program lives. */
  @Test
  void t41_a_program_that_is_gone_takes_nothing() throws Exception {
    HostedProcess program = programs.shell("exit 0");
    exitOf(program);
    assertThat(write(program, "hello\n")).isEqualTo(new InputWriteResult.Gone());
    assertThat(inputWithPipesUpTo(1 << 20, program).write(line('a', 1), SOON))
        .as("also when nobody has noticed yet")
        .isEqualTo(new InputWriteResult.Gone());

    HostedProcess survived = programs.shell("exec 4<&0; sleep 600 <&4 & exit 0");
    exitOf(survived);
    assertThat(write(survived, "hello\n"))
        .as("also when a child that it left behind has its input open")
        .isEqualTo(new InputWriteResult.Gone());
  }

  @Test
  void a_write_that_waits_for_room_ends_when_the_program_dies() throws Exception {
    HostedProcess program = sleepingReader();
    while (program.write(line('a', 100_000), Duration.ZERO) instanceof InputWriteResult.Written) {}
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = executor.submit(() -> program.write(line('b', 100_000), TIMEOUT));
      program.tree().end(StopTimeouts.IMMEDIATE, () -> {});
      assertThat(waiting.get()).isEqualTo(new InputWriteResult.Gone());
    }
  }

  @Test
  void a_file_or_a_link_in_place_of_the_fifo_is_not_written_to() throws Exception {
    HostedProcess program = sleepingReader();
    Path in = program.folder().file(AttemptFolder.IN);
    Files.delete(in);
    Files.writeString(in, "");
    assertThatThrownBy(() -> write(program, "x\n")).isInstanceOf(UncheckedIOException.class);
    assertThat(in).isEmptyFile();
    Files.delete(in);
    HostedProcess other = programs.shell("while read -r a; do echo \"heard $a\"; done");
    Files.createSymbolicLink(in, other.folder().file(AttemptFolder.IN));
    assertThatThrownBy(() -> write(program, "not for you\n"))
        .isInstanceOf(UncheckedIOException.class);
    write(other, "for you\n");
    awaitOutput(other, "for you\n");
    assertThat(output(other)).isEqualTo("heard for you\n");
  }

  @Test
  void what_the_pipe_is_said_to_take_it_takes_whole_whatever_is_in_it() throws Exception {
    Seed seed = Seed.drawnFor("room in a pipe");
    Random random = seed.random();
    Libc libc = Libc.load().orElseThrow();
    // Reads as many bytes as each line of the file "eat" says, one line at a time.
    HostedProcess program =
        programs.perl(
            """
            $| = 1; open(my $e, "+<", "eat") or die; print "up\\n"; my $n = 0;
            while (1) { my $l = <$e>; if (!defined $l) { select(undef, undef, undef, 0.001);
              seek($e, 0, 1); next } my $left = $l; while ($left > 0) {
              $left -= sysread(STDIN, my $b, $left) } $n++; print "ate $n\\n" }
            """
                .replace("+<", "+>"));
    awaitOutput(program, "up");
    int pipe = libc.openFifo(program.folder().file(AttemptFolder.IN).toString());
    int whole = 0;
    int meals = 0;
    try {
      for (int round = 0; round < 2_000; round++) {
        PipeCapacity room =
            new PipeCapacity(libc.pipeCapacity(pipe), libc.unread(pipe), libc.pageSize());
        int length = 1 + (random.nextBoolean() ? random.nextInt(9_000) : random.nextInt(2_100));
        if (room.takes(length)) {
          assertThat(libc.write(pipe, new byte[length], 0)).as("%s", seed).isEqualTo(length);
          whole++;
        } else {
          int eaten = 1 + random.nextInt(room.unread());
          Files.writeString(
              programs.root().resolve("eat"),
              eaten + "\n",
              java.nio.file.StandardOpenOption.APPEND);
          awaitOutput(program, "ate " + ++meals + "\n");
        }
      }
    } finally {
      libc.close(pipe);
    }
    assertThat(whole).isGreaterThan(500);
    assertThat(meals).isGreaterThan(50);
  }
}
