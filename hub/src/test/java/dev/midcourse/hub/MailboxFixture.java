package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A lead and a foreign worker that use only their folders, and short methods for their actions. */
abstract class MailboxFixture {
  static final Duration LONG = Duration.ofSeconds(60);
  private static final JsonNode NOTHING = JsonCodec.mapper().createObjectNode();

  @TempDir Path data;
  HubFixture fixture;
  Path lead;
  Path worker;

  @BeforeEach
  void open() throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.jarvis-worker-1]
        agent = "foreign"
        pending = "latest"

        [workers.jarvis-worker-2]
        agent = "foreign"

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]

        [groups.jarvis-worker-1]
        role = "worker"
        """);
    fixture = HubFixture.asTheFileSays(data);
    lead = data.resolve("ipc/andy-developer");
    worker = data.resolve("ipc/jarvis-worker-1");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  void started(String run) throws IOException {
    task(
        "dispatch.json",
        "{\"type\":\"dispatch\",\"worker\":\"%s\",\"dispatch\":%s}"
            .formatted(worker.getFileName(), dispatch(run)));
    Path input = worker.resolve("input/" + run + "-1-1.json");
    await().atMost(LONG).until(() -> Files.exists(input));
    assertThat(json(input).path("prompt").asString()).contains("Task " + run);
    Files.delete(input);
    awaitMessage("run", message -> message.path("run_id").asString().equals(run));
  }

  void progress(String run, int seq, String summary) throws IOException {
    write(
        worker.resolve("progress/" + run),
        "2026-03-01T12-00-00-000Z-" + seq + ".json",
        JsonCodec.write(
            java.util.Map.of(
                "kind", "worker_progress", "run_id", run, "summary", summary, "seq", seq)));
  }

  void result(String run, int seq, String text) throws IOException {
    write(
        worker.resolve("progress/" + run),
        "2026-03-01T12-00-00-000Z-" + seq + ".json",
        JsonCodec.write(
            java.util.Map.of(
                "kind", "worker_result", "run_id", run, "status", "success", "result", text)));
  }

  void ack(String run, String steer, String injectedAt) throws IOException {
    write(
        worker.resolve("steer"),
        run + ".acked.json",
        "{\"steer_id\":\""
            + steer
            + "\",\"acked_at\":\"now\",\"injected_at\":\""
            + injectedAt
            + "\"}");
    Files.deleteIfExists(worker.resolve("steer/" + run + ".json"));
  }

  JsonNode awaitSteer(String run) {
    Path file = worker.resolve("steer/" + run + ".json");
    return await()
        .atMost(LONG)
        .ignoreException(UncheckedIOException.class) // one steer may just take another's place
        .until(() -> Files.exists(file) ? json(file) : NOTHING, it -> it.has("steer_id"));
  }

  void awaitReceipt(String rung) {
    awaitMessage(
        "receipt", message -> message.path("receipt").path("rung").asString().equals(rung));
  }

  JsonNode awaitMessage(String kind, java.util.function.Predicate<JsonNode> is) {
    await().atMost(LONG).until(() -> messages(kind).anyMatch(is));
    return messages(kind).filter(is).findFirst().orElseThrow();
  }

  Stream<JsonNode> messages(String kind) {
    return files(lead.resolve("input")).stream()
        .filter(file -> file.toString().endsWith("-" + kind + ".json"))
        .map(MailboxFixture::json);
  }

  void clear() throws IOException {
    for (Path file : files(lead.resolve("input"))) {
      Files.deleteIfExists(file);
    }
  }

  static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.getFileName().toString().startsWith(".")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<String> reason(String name) throws IOException {
    Path file = worker.resolve("errors/" + name + ".reason.txt");
    return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
  }

  List<JsonNode> steers(String run) {
    return fixture.steers(run);
  }

  void task(String name, String json) throws IOException {
    write(lead.resolve("tasks"), name, json);
  }

  static void write(Path folder, String name, String json) throws IOException {
    Path hidden = folder.resolve("." + name);
    Files.writeString(hidden, json);
    Files.move(hidden, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  static JsonNode json(Path file) {
    try {
      return JsonCodec.mapper().readTree(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String steer(String run, String text) {
    return JsonCodec.write(
        java.util.Map.of("type", "steer_worker", "run_id", run, "message", text));
  }

  static String dispatch(String run) {
    return Dispatches.of(run, "Say hello.");
  }

  static String completion(String run) {
    return """
    <completion>{"run_id":"%s","branch":"jarvis-x","commit_sha":"none","files_changed":[],
    "test_result":"ok","risk":"none","pr_skipped_reason":"nothing built"}</completion>\
    """
        .formatted(run);
  }
}
