package dev.midcourse.agents.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithUtf8Length;
import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file that a worker writes into its mailbox, under any name, is read, waited for or put
 * aside. This hub and the next keep reading the files of the worker; nothing is written outside of
 * its mailbox. As an ordinary test it plays the examples; {@code JAZZER_FUZZ=1} makes it look for
 * others.
 */
@Tag("fuzz")
@SuppressWarnings("NullAway.Init")
final class WorkerFilesFuzzTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");

  /** Long after the files were written: nothing is waited for as half written. */
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  @TempDir static Path root;
  private static ProcessHost host;

  private final List<AgentEventBatch> batches = new CopyOnWriteArrayList<>();
  private final Path box = root.resolve("mail/worker");
  private final AttemptSpec spec = WorkerSpec.under(root);

  @BeforeAll
  static void open() throws IOException {
    host = ProcessHost.open();
  }

  @AfterAll
  static void close() {
    host.close();
  }

  @MethodSource("progress")
  @FuzzTest(maxDuration = "2m")
  void a_progress_file(@NotNull @WithUtf8Length(max = 300) String name, @NotNull String text)
      throws IOException {
    leaves("progress/run-1", name, text);
  }

  @MethodSource("acks")
  @FuzzTest(maxDuration = "2m")
  void an_ack_file(@NotNull @WithUtf8Length(max = 300) String name, @NotNull String text)
      throws IOException {
    leaves("steer", "run-1." + name + ".acked.json", text);
  }

  @MethodSource("steers")
  @FuzzTest(maxDuration = "2m")
  void its_steer_file(@NotNull String text) throws IOException {
    leaves("steer", "run-1.json", text);
  }

  private void leaves(String folder, String name, String text) throws IOException {
    try {
      ForeignDriver driver = new ForeignDriver(root.resolve("mail"), host.folders(), () -> LATER);
      Agent agent = driver.start(spec, batches::add);
      agent.prompt(1, "Do it.");
      agent.steer(STEER, "Use tabs.");
      write(box.resolve(folder), name, text);
      assertReads(agent);
      agent.detach();
      Agent next = driver.attach(spec, batches.getLast().upTo(), batches::add);
      assertReads(next);
      next.end(StopTimeouts.DEFAULT);
      assertThat(named(root)).containsOnly("mail", "attempt");
      assertThat(named(root.resolve("mail"))).containsOnly("worker");
    } finally {
      clear();
    }
  }

  /** A worker can give a file any name that its file system takes. */
  private static void write(Path folder, String name, String text) {
    try {
      Files.write(folder.resolve(name.replace('/', '_')), text.getBytes(UTF_8));
    } catch (IOException | InvalidPathException none) {
      // No such file can be.
    }
  }

  private void assertReads(Agent agent) {
    batches.clear();
    assertThat(agent.barrier("b")).isEqualTo(Agent.WriteResult.WRITTEN);
    AgentEvent passed = new AgentEvent.BarrierPassed("b");
    await().until(() -> batches.stream().anyMatch(it -> it.events().contains(passed)));
  }

  private static List<String> named(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static void clear() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!one.equals(root)) {
          Files.deleteIfExists(one);
        }
      }
    }
  }

  static Stream<Arguments> progress() {
    String progress =
        "{\"kind\":\"worker_progress\",\"run_id\":\"run-1\",\"summary\":%s,\"seq\":%s}";
    String result = "{\"kind\":\"worker_result\",\"status\":%s,\"session_id\":%s,\"result\":%s}";
    return Stream.of(
        Arguments.of("1-1.json", progress.formatted("\"at work\"", "1")),
        Arguments.of("1-999999999999999999.json", progress.formatted("{}", "1e999")),
        Arguments.of("-.json", "{\"kind\":\"worker_progress\",\"tool_used\":\"\\u0000\"}"),
        Arguments.of("..json", result.formatted("\"error\"", "\"../x\"", "[]")),
        Arguments.of("a.json", result.formatted("7", "\"s-1\"", "\"done\"")),
        Arguments.of("b.json", "{\"run_id\":\"../../x\"}"),
        Arguments.of("c.json", "{\"attempt\":99999999999}"),
        Arguments.of("d\n.json", "{\"kind\":{}}"),
        Arguments.of("x".repeat(250) + ".json", "{]"),
        Arguments.of("e.json", "[".repeat(10_000)),
        Arguments.of("f.json", ""));
  }

  static Stream<Arguments> acks() {
    String ack = "{\"steer_id\":\"%s\",\"injected_at\":%s}";
    return Stream.of(
        Arguments.of("1", ack.formatted(STEER, "\"now\"")),
        Arguments.of("2", ack.formatted(STEER, "{}")),
        Arguments.of("..", ack.formatted("../../x", "7")),
        Arguments.of(STEER.value(), ack.formatted("22222222-2222-4333-8444-555555555555", "\"\"")),
        Arguments.of("y".repeat(230), "{\"run_id\":\"other\"}"),
        Arguments.of("3", "x".repeat(5_000)),
        Arguments.of("4", "{\"attempt\":2}"));
  }

  static Stream<Arguments> steers() {
    return Stream.of(
            "",
            "{}",
            "{\"steer_id\":\"../x\"}",
            "{\"steer_id\":7}",
            "{\"steer_id\":\"" + STEER + "\"}",
            "{\"steer_id\":\"\ud800\"}",
            "x".repeat(1_100_000))
        .map(Arguments::of);
  }
}
