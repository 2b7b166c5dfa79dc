package dev.midcourse.agents.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.hosted.AgentEnvironment;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Garbage;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StdioAgentTest {
  private final Hosting hosting = new Hosting();
  private @Nullable Attempts attempts;

  @BeforeEach
  void prepare(@TempDir Path folder) {
    attempts = new Attempts(folder);
  }

  @AfterEach
  void end() {
    hosting.close();
  }

  // ---- hearing

  @Test
  void each_line_is_read_once_in_order_and_the_exit_comes_last() {
    RecordingListener listener = new RecordingListener();
    start("echo say one; echo say two; exit 3", listener);
    listener.await(Exited.class);
    assertThat(listener.events())
        .containsExactly(new Said("1 one"), new Said("2 two"), new Exited(3, ""));
  }

  @Test
  void a_place_is_behind_the_last_whole_line_and_knows_what_was_read() {
    RecordingListener listener = new RecordingListener();
    start("printf 'say one\\nsay tw'; sleep 600", listener);
    listener.await(Said.class);
    assertThat(listener.all().getLast().upTo())
        .isEqualTo(new OutputCheckpoint("say one\n".length(), "1"));
  }

  @Test
  void a_last_line_without_an_end_is_read_when_the_program_is_gone() {
    RecordingListener listener = new RecordingListener();
    start("printf 'say one\\nsay two'", listener);
    listener.await(Exited.class);
    assertThat(listener.all(Said.class)).containsExactly(new Said("1 one"), new Said("2 two"));
  }

  @Test
  void lines_that_mean_nothing_to_us_are_not_reported() {
    RecordingListener listener = new RecordingListener();
    start("echo quiet; echo; echo quiet; sleep 0.2; echo say one", listener);
    listener.await(Exited.class);
    assertThat(listener.all()).extracting(AgentEventBatch::events).doesNotContain(List.of());
    assertThat(listener.all(Said.class)).containsExactly(new Said("3 one"));
  }

  @Test
  void a_line_over_eight_mebibytes_is_cut_and_said() {
    RecordingListener listener = new RecordingListener();
    start("head -c 9000000 /dev/zero | tr '\\0' x; echo; echo say after", listener);
    listener.await(Said.class);
    Garbage garbage = listener.await(Garbage.class);
    assertThat(garbage.bytes()).isEqualTo(9_000_000);
    assertThat(garbage.excerpt()).startsWith("xxx").hasSizeLessThan(300);
    assertThat(listener.all().getLast().upTo().offset())
        .isEqualTo(9_000_001 + "say after\n".length());
  }

  @Test
  void a_line_that_breaks_the_codec_is_garbage_and_the_next_is_read() {
    RecordingListener listener = new RecordingListener();
    start("echo throw; echo nonsense; echo say after", listener);
    listener.await(Said.class);
    assertThat(listener.all(Garbage.class))
        .containsExactly(new Garbage("throw", 5), new Garbage("nonsense", 8));
  }

  @Test
  void the_exit_is_described_by_the_last_lines_on_standard_error() {
    RecordingListener listener = new RecordingListener();
    start("i=0; while [ $i -lt 50 ]; do i=$((i+1)); echo line $i >&2; done; exit 1", listener);
    Exited exited = listener.await(Exited.class);
    assertThat(exited.lastOutput().lines()).hasSize(20).startsWith("line 31").endsWith("line 50");
  }

  @Test
  void a_flood_on_standard_error_blocks_no_reader() {
    RecordingListener listener = new RecordingListener();
    start("head -c 20000000 /dev/zero >&2; echo say after", listener);
    listener.await(Said.class);
  }

  @Test
  void an_unusable_program_is_ended_and_its_exit_says_why() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(attempts().next());
    driver("echo say one; echo hopeless no such session; exec sleep 600").start(spec, listener);
    assertThat(listener.await(Exited.class)).isEqualTo(new Exited(1, "no such session"));
    assertThat(listener.all(Said.class)).containsExactly(new Said("1 one"));
    assertThat(hosting.alive(spec)).isEmpty();
  }

  // ---- writing

  /** Seen to fail when only the hub itself calls a failed start permanent. */
  @ParameterizedTest
  @ValueSource(ints = {126, 127})
  void a_program_that_a_shell_cannot_start_is_no_use_to_try_again(int status) {
    RecordingListener listener = new RecordingListener();
    start("echo 'env: node: No such file or directory' >&2; exit " + status, listener);
    assertThat(listener.await(Exited.class))
        .isEqualTo(new Exited(status, "env: node: No such file or directory", true));
  }

  @Test
  void a_program_that_has_worked_may_be_tried_again_whatever_its_status() {
    RecordingListener listener = new RecordingListener();
    start("echo say hello; exit 127", listener);
    assertThat(listener.await(Exited.class).permanent()).isFalse();
  }

  @Test
  void an_agent_that_may_mix_steers_up_gets_one_when_it_has_answered_for_the_one_before() {
    RecordingListener listener = new RecordingListener();
    SteerId first = Steers.id();
    String script =
        "read -r hello; read -r one; read -r go; echo accepted " + first + "; exec sleep 600";
    Agent agent =
        new StdioDriver(hosting.host(), EchoAgentDefinition.thatMixesUp(script))
            .start(hosting.keep(attempts().next()), listener);
    assertThat(agent.steer(first, "one")).isEqualTo(WriteResult.WRITTEN);
    assertThat(agent.steer(Steers.id(), "two")).isEqualTo(WriteResult.INPUT_FULL);
    agent.prompt(1, "go");
    listener.await(AgentEvent.SteerAccepted.class);
    assertThat(agent.steer(Steers.id(), "three")).isEqualTo(WriteResult.WRITTEN);
  }

  @Test
  void it_is_greeted_at_its_start_and_messages_of_one_call_stay_together() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start("while read -r word; do echo say \"$word\"; done", listener);
    assertThat(agent.prompt(1, "the task")).isEqualTo(WriteResult.WRITTEN);
    listener.await(Said.class, _ -> true, 3);
    assertThat(listener.all(Said.class))
        .containsExactly(new Said("1 hello"), new Said("2 prompt"), new Said("3 the task"));
  }

  @Test
  void its_replies_are_written_before_its_events_are_reported() throws Exception {
    AttemptSpec spec = hosting.keep(attempts().next());
    CountDownLatch asked = new CountDownLatch(1);
    AgentListener broken =
        batch -> {
          asked.countDown();
          throw new IllegalStateException("the ledger is full");
        };
    driver("read -r hello; echo ask x; read -r answer; echo \"$answer\" > answer; sleep 600")
        .start(spec, broken);
    asked.await();
    Path answer = spec.workspace().resolve("answer");
    Awaitility.await().until(() -> Files.exists(answer) && !Files.readString(answer).isEmpty());
    assertThat(Files.readString(answer)).isEqualTo("re x\n");
  }

  @Test
  void an_operation_that_the_agent_lacks_is_not_written() {
    Agent agent = start("sleep 600", new RecordingListener());
    assertThat(agent.interrupt()).isEqualTo(WriteResult.UNSUPPORTED);
    assertThat(agent.withdraw(Steers.id())).isEqualTo(WriteResult.UNSUPPORTED);
    assertThat(agent.barrier("x")).isEqualTo(WriteResult.UNSUPPORTED);
  }

  @Test
  void messages_with_a_length_are_written_and_read() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(attempts().next());
    // Takes the frame of "hello", which is 5 bytes long, and sends back two frames of its own.
    String script =
        """
        read -r head; read -r empty; body=$(head -c 5)
        printf 'Content-Length: 9\\r\\n\\r\\nsay %s' "$body"
        printf 'stray\\nContent-Length: 8\\r\\n\\r\\nsay a\\nb\\n'
        """;
    new StdioDriver(
            hosting.host(),
            new EchoAgentDefinition(List.of("sh", "-c", script), Framing.CONTENT_LENGTH, true))
        .start(spec, listener);
    listener.await(Exited.class);
    assertThat(listener.events())
        .containsExactly(
            new Said("1 hello"), new Garbage("stray", 5), new Said("2 a\nb\n"), new Exited(0, ""));
  }

  // ---- coming and going

  @Test
  void the_next_hub_reads_on_from_its_place() {
    AttemptSpec spec = hosting.keep(attempts().next());
    RecordingListener first = new RecordingListener();
    Agent agent =
        driver("echo say one; echo say two; while read -r word; do echo say \"$word\"; done")
            .start(spec, first);
    first.await(Said.class, _ -> true, 3);
    agent.detach();
    OutputCheckpoint place = first.all().getLast().upTo();

    RecordingListener second = new RecordingListener();
    Agent again = driver("never run").attach(spec, place, second);
    again.steer(Steers.id(), "three");

    assertThat(second.await(Said.class)).isEqualTo(new Said("4 three"));
    assertThat(first.all(Said.class)).hasSize(3);
    assertThat(second.all(Said.class)).hasSize(1);
  }

  @Test
  void an_agent_without_stored_output_is_greeted_again() {
    AttemptSpec spec = hosting.keep(attempts().next());
    Agent agent = driver("while read -r word; do echo say \"$word\"; done").start(spec, _ -> {});
    agent.detach();
    RecordingListener listener = new RecordingListener();
    driver("never run").attach(spec, OutputCheckpoint.START, listener);
    listener.await(Said.class, _ -> true, 2);
    assertThat(listener.all(Said.class)).containsExactly(new Said("1 hello"), new Said("2 hello"));
  }

  @Test
  void an_agent_that_died_in_between_is_read_to_its_last_line() {
    AttemptSpec spec = hosting.keep(attempts().next());
    RecordingListener first = new RecordingListener();
    Agent agent =
        driver("echo say one; read -r hello; read -r go; echo say two; echo why >&2; exit 7")
            .start(spec, first);
    first.await(Said.class);
    agent.detach();
    agent.steer(Steers.id(), "go");
    Awaitility.await().until(() -> hosting.alive(spec).isEmpty());

    RecordingListener second = new RecordingListener();
    Agent again = driver("never run").attach(spec, first.all().getLast().upTo(), second);

    second.await(Exited.class);
    assertThat(second.events()).containsExactly(new Said("2 two"), new Exited(7, "why"));
    assertThat(again.steer(Steers.id(), "more")).isEqualTo(WriteResult.EXITED);
    assertThat(again.end(StopTimeouts.DEFAULT).processes()).isZero();
  }

  @Test
  void an_agent_that_can_no_longer_be_written_to_is_ended() throws IOException {
    AttemptSpec spec = hosting.keep(attempts().next());
    RecordingListener first = new RecordingListener();
    Agent agent = driver("echo say one; sleep 600").start(spec, first);
    first.await(Said.class);
    agent.detach();
    Files.delete(spec.folder().resolve("in"));

    RecordingListener second = new RecordingListener();
    driver("never run").attach(spec, first.all().getLast().upTo(), second);

    second.await(Exited.class);
    assertThat(hosting.alive(spec)).isEmpty();
  }

  @Test
  void an_agent_that_was_never_started_is_reported_as_gone() {
    RecordingListener listener = new RecordingListener();
    Agent agent = driver("never run").attach(attempts().next(), OutputCheckpoint.START, listener);
    assertThat(listener.await(Exited.class).code()).isEqualTo(-1);
    assertThat(agent.prompt(1, "x")).isEqualTo(WriteResult.EXITED);
  }

  @Test
  void nothing_is_reported_after_detach_even_while_a_listener_blocks() throws Exception {
    AttemptSpec spec = hosting.keep(attempts().next());
    CountDownLatch listening = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger times = new AtomicInteger();
    AgentListener slow =
        _ -> {
          times.incrementAndGet();
          listening.countDown();
          awaitQuietly(never);
        };
    Agent agent =
        driver("echo say one; read -r h; read -r go; echo say two; sleep 600").start(spec, slow);
    listening.await();

    agent.detach();
    agent.steer(Steers.id(), "go");
    Path out = spec.folder().resolve("out");
    Awaitility.await().until(() -> Files.readString(out).contains("two"));
    never.countDown();

    RecordingListener next = new RecordingListener();
    driver("never run").attach(spec, OutputCheckpoint.START, next);
    next.await(Said.class, _ -> true, 2);
    assertThat(times).hasValue(1);
  }

  @Test
  void a_failing_listener_leaves_the_program_running() {
    AttemptSpec spec = hosting.keep(attempts().next());
    AgentListener broken =
        _ -> {
          throw new IllegalStateException("the ledger is full");
        };
    driver("echo say one; sleep 600").start(spec, broken);
    RecordingListener listener = new RecordingListener();
    driver("never run").attach(spec, OutputCheckpoint.START, listener);
    assertThat(listener.await(Said.class)).isEqualTo(new Said("1 one"));
    Awaitility.await().until(() -> hosting.alive(spec).contains("sleep")); // once it is begun
  }

  @Test
  void an_output_that_cannot_be_read_ends_the_agent_and_says_so() throws IOException {
    AttemptSpec spec = hosting.keep(attempts().next());
    RecordingListener listener = new RecordingListener();
    driver("echo say one; sleep 600").start(spec, listener);
    listener.await(Said.class);

    RecordingListener lost = new RecordingListener();
    driver("never run").attach(spec, new OutputCheckpoint(1_000_000, "1"), lost);

    assertThat(lost.await(Exited.class).lastOutput()).contains("could not be read");
    assertThat(hosting.alive(spec)).isEmpty();
  }

  // ---- what cannot be started

  @Test
  void a_missing_program_is_reported_as_ended() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(attempts().next());
    new StdioDriver(
            hosting.host(),
            new EchoAgentDefinition(List.of("no-such-program-anywhere"), Framing.LINES, true))
        .start(spec, listener);
    Exited exited = listener.await(Exited.class);
    assertThat(exited.code()).isEqualTo(127);
    assertThat(exited.lastOutput()).contains("no-such-program-anywhere");
  }

  @Test
  void a_workspace_that_is_not_there_is_named() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = attempts().next();
    AttemptSpec lost =
        new AttemptSpec(
            spec.run(),
            spec.attempt(),
            spec.mark(),
            spec.folder(),
            spec.home(),
            spec.workspace().resolve("nowhere"),
            spec.resume(),
            spec.environment());
    Agent agent = driver("true").start(lost, listener);
    Exited exited = listener.await(Exited.class);
    assertThat(exited.code()).isEqualTo(127);
    assertThat(exited.lastOutput()).contains("nowhere");
    assertThat(agent.end(StopTimeouts.DEFAULT).processes()).isZero();
    assertThat(agent.pid()).isZero();
  }

  @Test
  void settings_that_cannot_be_an_environment_are_named() {
    RecordingListener listener = new RecordingListener();
    driver("true").start(attempts().next(Optional.empty(), Map.of("NOT A NAME", "x")), listener);
    assertThat(listener.await(Exited.class).lastOutput()).contains("NOT A NAME");
  }

  @Test
  void a_folder_that_was_used_before_is_not_used_again() {
    AttemptSpec spec = hosting.keep(attempts().next());
    driver("sleep 600").start(spec, _ -> {});
    RecordingListener listener = new RecordingListener();
    driver("sleep 600").start(spec, listener);
    assertThat(listener.await(Exited.class).code()).isEqualTo(127);
    assertThat(hosting.alive(spec)).isNotEmpty();
  }

  @Test
  void settings_override_the_driver_but_not_the_identity_of_the_run() {
    AttemptSpec spec =
        attempts()
            .next(
                Optional.empty(),
                Map.of("A", "settings", "MIDCOURSE_RUN", "other", "MIDCOURSE_MARK", "other"));
    Map<String, String> environment =
        AgentEnvironment.of(spec, Map.of("A", "driver", "B", "driver"));
    assertThat(environment)
        .containsEntry("A", "settings")
        .containsEntry("B", "driver")
        .containsEntry("MIDCOURSE_RUN", "some-run")
        .containsEntry("HOME", spec.home().toString())
        .doesNotContainKey("MIDCOURSE_MARK");
  }

  private Agent start(String script, RecordingListener listener) {
    return driver(script).start(hosting.keep(attempts().next()), listener);
  }

  private StdioDriver driver(String script) {
    return new StdioDriver(hosting.host(), EchoAgentDefinition.of(script));
  }

  private Attempts attempts() {
    return Objects.requireNonNull(attempts);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
