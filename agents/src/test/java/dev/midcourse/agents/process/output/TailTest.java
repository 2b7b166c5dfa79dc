package dev.midcourse.agents.process.output;

import static dev.midcourse.agents.process.HostedPrograms.TIMEOUT;
import static dev.midcourse.agents.process.HostedPrograms.await;
import static dev.midcourse.agents.process.HostedPrograms.awaitOutput;
import static dev.midcourse.agents.process.HostedPrograms.exitOf;
import static dev.midcourse.agents.process.HostedPrograms.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.PlatformSupport;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.framing.FrameDecoder;
import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import dev.midcourse.agents.process.framing.LineDecoder;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.tree.ExitNotice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TailTest {

  private static final Duration NEVER = Duration.ofHours(1);

  /** Only events can tell. */
  @RegisterExtension
  final HostedPrograms programs = new HostedPrograms(PlatformSupport.ofThisSystem().withNet(NEVER));

  @RegisterExtension
  final HostedPrograms withoutInotify =
      new HostedPrograms(PlatformSupport.ofThisSystem().withoutInotify().withNet(NEVER));

  /** Records all calls, and whether they kept their contract. */
  private static final class Recorder implements OutputListener {
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private final List<String> notes = new ArrayList<>();
    private final AtomicLong offset;

    Recorder(long from) {
      offset = new AtomicLong(from);
    }

    @Override
    public synchronized void bytes(byte[] chunk, long offsetAfter) {
      if (chunk.length == 0 || chunk.length > TailedFile.MAX_CHUNK) {
        notes.add("a chunk of " + chunk.length);
      }
      if (offset.addAndGet(chunk.length) != offsetAfter) {
        notes.add("offset " + offsetAfter + " after " + offset);
      }
      heard.writeBytes(chunk);
    }

    @Override
    public synchronized void exited(ProcessExit exit) {
      notes.add(exit + " after " + heard.size());
    }

    @Override
    public synchronized void failed(IOException failure) {
      notes.add("failed");
    }

    synchronized byte[] heard() {
      return heard.toByteArray();
    }

    synchronized String text() {
      return heard.toString(UTF_8);
    }

    synchronized List<String> notes() {
      return List.copyOf(notes);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_output_of_a_program_is_read_in_order_and_its_exit_after_it(boolean inotify)
      throws Exception {
    HostedPrograms way = inotify ? programs : withoutInotify;
    HostedProcess program = way.shell("read -r b; echo $b; exit 5");
    Recorder out = new Recorder(0);
    try (Tail following = program.follow(OutputFile.OUT, 0, out)) {
      write(program, "bye\n");
      await(() -> assertThat(out.notes()).hasSize(1));
      assertThat(out.text()).isEqualTo("bye\n");
      assertThat(out.notes()).containsExactly(new ProcessExit.Status(5) + " after 4");
      assertThat(following.offset()).isEqualTo(4);
    }
  }

  @Test
  void both_files_are_followed_at_once() throws Exception {
    HostedProcess program = programs.shell("read -r a; echo out; echo err >&2; read -r b");
    Recorder out = new Recorder(0);
    Recorder err = new Recorder(0);
    try (Tail _ = program.follow(OutputFile.OUT, 0, out);
        Tail _ = program.follow(OutputFile.ERR, 0, err)) {
      write(program, "go\n");
      await(() -> assertThat(out.text()).isEqualTo("out\n"));
      await(() -> assertThat(err.text()).isEqualTo("err\n"));
    }
  }

  @Test
  void following_from_an_offset_repeats_and_skips_nothing() throws Exception {
    HostedProcess program = programs.shell("printf 0123456789; read -r a; printf abc");
    awaitOutput(program, "9");
    Recorder out = new Recorder(4);
    try (Tail _ = program.follow(OutputFile.OUT, 4, out)) {
      await(() -> assertThat(out.text()).isEqualTo("456789"));
      write(program, "go\n");
      await(() -> assertThat(out.notes()).containsExactly(new ProcessExit.Status(0) + " after 9"));
      assertThat(out.text()).isEqualTo("456789abc");
    }
    assertThatThrownBy(() -> program.follow(OutputFile.OUT, 14, out))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> program.follow(OutputFile.OUT, -1, out))
        .isInstanceOf(IOException.class);
  }

  @Test
  void garbage_is_reported_byte_for_byte() throws Exception {
    HostedProcess program =
        programs.perl("srand(7); print chr(int(rand(256))) for 1..300_000; exit 0");
    Recorder out = new Recorder(0);
    try (Tail _ = program.follow(OutputFile.OUT, 0, out)) {
      await(() ->
          assertThat(out.notes()).containsExactly(new ProcessExit.Status(0) + " after 300000"));
      assertThat(out.heard())
          .isEqualTo(Files.readAllBytes(program.folder().output(OutputFile.OUT)));
    }
  }

  @Test
  void a_line_over_8_mib_is_cut_and_said() throws Exception {
    int length = FrameDecoder.MAX_LENGTH + 100_000;
    HostedProcess program = programs.perl("print 'x' x " + length + ", qq(\\nnext\\n)");
    List<OutputFrame> pieces = new ArrayList<>();
    LineDecoder lines = new LineDecoder(0);
    CountDownLatch over = new CountDownLatch(1);
    OutputListener listener =
        new OutputListener() {
          @Override
          public void bytes(byte[] chunk, long offsetAfter) {
            lines.feed(chunk, pieces::add);
          }

          @Override
          public void exited(ProcessExit exit) {
            over.countDown();
          }
        };
    try (Tail _ = program.follow(OutputFile.OUT, 0, listener)) {
      assertThat(over.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    assertThat(pieces)
        .containsExactly(
            new OutputFrame.Cut("x".repeat(FrameDecoder.MAX_LENGTH), 100_000, length + 1L),
            new OutputFrame.Whole("next", length + 6L));
  }

  /** More floods than there are carrier threads, so that a quiet file depends on taking turns. */
  @Test
  void a_quiet_file_is_read_beside_flooded_files() throws Exception {
    int floods = 3 * Runtime.getRuntime().availableProcessors();
    AtomicLong flood = new AtomicLong();
    List<Tail> followings = new ArrayList<>();
    try {
      for (int i = 0; i < floods; i++) {
        HostedProcess program = programs.shell("read -r a");
        // A file that can be read for ever and costs nothing to fill.
        try (FileChannel hole =
            FileChannel.open(program.folder().output(OutputFile.OUT), StandardOpenOption.WRITE)) {
          hole.write(ByteBuffer.allocate(1), 1L << 42);
        }
        followings.add(
            program.follow(OutputFile.OUT, 0, (chunk, after) -> flood.addAndGet(chunk.length)));
      }
      HostedProcess quiet = programs.shell("while read -r a; do echo \"heard $a\"; done");
      Recorder out = new Recorder(0);
      followings.add(quiet.follow(OutputFile.OUT, 0, out));
      for (int i = 0; i < 20; i++) {
        long before = flood.get();
        write(quiet, i + "\n");
        String answer = "heard " + i + "\n";
        await(() -> assertThat(out.text()).endsWith(answer));
        await(() -> assertThat(flood.get()).isGreaterThan(before));
      }
    } finally {
      followings.forEach(Tail::close);
    }
  }

  @Test
  void a_slow_listener_holds_up_its_own_file_only() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicLong slowCalls = new AtomicLong();
    HostedProcess slow = programs.shell("while read -r a; do echo \"heard $a\"; done");
    HostedProcess other = programs.shell("while read -r a; do echo \"heard $a\"; done");
    Recorder quick = new Recorder(0);
    try (Tail _ =
            slow.follow(
                OutputFile.OUT,
                0,
                (chunk, after) -> {
                  slowCalls.incrementAndGet();
                  awaitUninterruptibly(release);
                });
        Tail _ = other.follow(OutputFile.OUT, 0, quick)) {
      write(slow, "one\n");
      await(() -> assertThat(slowCalls).hasValue(1));
      write(slow, "two\n");
      write(other, "me\n");
      await(() -> assertThat(quick.text()).isEqualTo("heard me\n"));
      assertThat(slowCalls).as("one call at a time").hasValue(1);
      release.countDown();
      await(() -> assertThat(slowCalls).hasValue(2));
    } finally {
      release.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void output_of_a_leftover_process_after_the_exit_is_read_too() throws Exception {
    Path go = programs.root().resolve("go");
    HostedProcess program =
        programs.shell("(until [ -e go ]; do sleep 0.01; done; echo late) & echo early; exit 0");
    Recorder out = new Recorder(0);
    try (Tail _ = program.follow(OutputFile.OUT, 0, out)) {
      await(() -> assertThat(out.notes()).containsExactly(new ProcessExit.Status(0) + " after 6"));
      Files.createFile(go);
      await(() -> assertThat(out.text()).isEqualTo("early\nlate\n"));
    }
  }

  @Test
  void an_overflow_of_events_loses_nothing() throws Exception {
    HostedProcess program = programs.shell("while read -r a; do echo \"heard $a\"; done");
    Recorder out = new Recorder(0);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (DirectoryWatcher watch = DirectoryWatcher.open(NEVER);
        OutputTailer outputs = new OutputTailer(watch)) {
      ExitNotice never = new ExitNotice(program.folder(), program.tree());
      Tail following = outputs.follow(program.folder(), OutputFile.OUT, 0, out, never);
      // Keeps the watching thread busy until its queue of events overflows.
      DirectoryWatcher.Registration busy =
          watch.register(
              program.folder().path(),
              file -> {
                if (file.filter("busy"::equals).isPresent()) {
                  entered.countDown();
                  awaitUninterruptibly(release);
                }
              });
      Files.createFile(program.folder().file("busy"));
      assertThat(entered.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      write(program, "me\n");
      awaitOutput(program, "heard me\n");
      for (int i = 0; i < 2_000; i++) {
        Files.createFile(program.folder().file("noise-" + i));
      }
      release.countDown();
      await(() -> assertThat(out.text()).isEqualTo("heard me\n"));
      busy.close();
      following.close();
    } finally {
      release.countDown();
    }
  }

  @Test
  void a_file_that_shrinks_is_given_up_with_an_error() throws Exception {
    HostedProcess program = programs.shell("echo 0123456789; read -r a");
    Recorder out = new Recorder(0);
    try (Tail _ = program.follow(OutputFile.OUT, 0, out)) {
      await(() -> assertThat(out.text()).hasSize(11));
      Files.writeString(program.folder().output(OutputFile.OUT), "new");
      await(() -> assertThat(out.notes()).containsExactly("failed"));
    }
  }

  @Test
  void a_listener_that_fails_gets_its_failure_and_no_further_call() throws Exception {
    HostedProcess program = programs.shell("while read -r a; do echo \"heard $a\"; done");
    CountDownLatch failed = new CountDownLatch(1);
    AtomicLong calls = new AtomicLong();
    OutputListener listener =
        new OutputListener() {
          @Override
          public void bytes(byte[] chunk, long offsetAfter) {
            calls.incrementAndGet();
            throw new IllegalStateException("cannot take this");
          }

          @Override
          public void failed(IOException failure) {
            failed.countDown();
          }
        };
    Tail following = program.follow(OutputFile.OUT, 0, listener);
    write(program, "one\n");
    assertThat(failed.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(following.offset()).isZero();
    write(program, "two\n");
    awaitOutput(program, "two");
    following.close();
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_listener_that_leaves_its_thread_interrupted_still_gets_the_rest() throws Exception {
    HostedProcess program = programs.shell("while read -r a; do echo \"heard $a\"; done");
    Recorder out = new Recorder(0);
    OutputListener listener =
        (chunk, after) -> {
          out.bytes(chunk, after);
          Thread.currentThread().interrupt();
        };
    try (Tail _ = program.follow(OutputFile.OUT, 0, listener)) {
      write(program, "one\n");
      await(() -> assertThat(out.text()).isEqualTo("heard one\n"));
      write(program, "two\n");
      await(() -> assertThat(out.text()).isEqualTo("heard one\nheard two\n"));
    }
  }

  @Test
  void after_close_the_listener_is_not_called() throws Exception {
    HostedProcess program = programs.shell("while read -r a; do echo \"heard $a\"; done");
    Recorder closed = new Recorder(0);
    Recorder open = new Recorder(0);
    Tail following = program.follow(OutputFile.OUT, 0, closed);
    try (Tail _ = program.follow(OutputFile.OUT, 0, open)) {
      write(program, "one\n");
      await(() -> assertThat(closed.text()).isEqualTo("heard one\n"));
      following.close();
      write(program, "two\n");
      await(() -> assertThat(open.text()).isEqualTo("heard one\nheard two\n"));
      assertThat(closed.text()).isEqualTo("heard one\n");
      assertThat(following.offset()).isEqualTo(10);
    }
  }

  @Test
  void the_output_of_a_program_that_ended_earlier_is_read_to_its_end() throws Exception {
    HostedProcess program = programs.shell("echo all of it; exit 9");
    exitOf(program);
    Recorder out = new Recorder(0);
    try (Tail _ = program.follow(OutputFile.OUT, 0, out)) {
      await(() -> assertThat(out.notes()).containsExactly(new ProcessExit.Status(9) + " after 10"));
      assertThat(out.text()).isEqualTo("all of it\n");
    }
  }
}
