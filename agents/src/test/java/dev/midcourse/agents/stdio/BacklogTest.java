package dev.midcourse.agents.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Said;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that write more than anybody wants to hold. */
final class BacklogTest {
  /** Lines that mean nothing, eighty megabytes of them, and one that does. */
  private static final String STEP_BYTES =
      "perl -e '$l = q( ) x 60_000; print qq($l\\n) for 1 .. 1_400'; echo say after;"
          + " exec sleep 600";

  /** In the middle of what has long been read when the last line is. */
  private static final long MIDDLE = 20_000_000;

  private final Hosting hosting = new Hosting();
  private final RecordingListener listener = new RecordingListener();
  private @Nullable AttemptSpec attempt;

  @TempDir Path folder;

  @BeforeEach
  void prepare() {
    attempt = hosting.keep(new Attempts(folder).next());
  }

  private AttemptSpec order() {
    return Objects.requireNonNull(attempt);
  }

  @AfterEach
  void end() {
    hosting.close();
  }

  private Agent start(String script, AgentListener listener) {
    return new StdioDriver(hosting.host(), EchoAgentDefinition.of(script)).start(order(), listener);
  }

  /**
   * Seen to fail when no output is ever freed, and when lines without events are never reported.
   */
  @Test
  void stored_output_is_freed_on_disk() throws Exception {
    assumeThatPartsCanBeGivenBack();
    CompletableFuture<Agent> agent = new CompletableFuture<>();
    agent.complete(
        start(
            STEP_BYTES,
            batch -> {
              listener.onEvents(batch);
              agent.join().keptTo(batch.upTo().offset());
            }));
    assertThat(listener.await(Said.class).text()).endsWith("after");
    assertThat(byteAt("out", MIDDLE)).isZero();
    assertThat(byteAt("out", 0)).isEqualTo(' ');
  }

  /** Seen to fail when processed output is freed although it is not stored. */
  @Test
  void unstored_output_stays_on_disk() throws Exception {
    start(STEP_BYTES, listener);
    assertThat(listener.await(Said.class).text()).endsWith("after");
    assertThat(byteAt("out", MIDDLE)).isEqualTo(' ');
  }

  /** Seen to fail when the size of standard error is not checked. */
  @Test
  void of_a_flood_on_standard_error_the_beginning_and_the_end_stay() throws Exception {
    assumeThatPartsCanBeGivenBack();
    start("{ " + STEP_BYTES + "; } >&2", listener);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(byteAt("err", MIDDLE)).isZero());
    assertThat(byteAt("err", 0)).isEqualTo(' ');
    hosting.kill(order(), "sleep");
    assertThat(listener.await(Exited.class).lastOutput()).endsWith("say after");
  }

  /** Seen to fail when a program may be ahead as far as it likes. */
  @Test
  void a_program_too_far_ahead_of_its_reader_is_ended_and_its_exit_says_why() {
    start("exec perl -e 'truncate STDOUT, 2 << 30; sleep 600'", listener);
    Exited exited = listener.await(Exited.class);
    assertThat(exited.code()).isEqualTo(-1);
    assertThat(exited.lastOutput()).contains("1073741824 bytes");
    assertThat(hosting.alive(order())).isEmpty();
  }

  private int byteAt(String file, long offset) throws IOException {
    Path path = order().folder().resolve(file);
    try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "r")) {
      bytes.seek(offset);
      return bytes.read();
    }
  }

  private void assumeThatPartsCanBeGivenBack() throws IOException, InterruptedException {
    Path probe = Files.write(folder.resolve("probe"), new byte[1_000_000]);
    Process punch =
        new ProcessBuilder("sh", "-c", "fallocate -p -o 0 -l 1000000 \"$1\"", "sh", probe + "")
            .redirectErrorStream(true)
            .start();
    assumeTrue(punch.waitFor() == 0, "this file system gives no parts of a file back");
  }
}
