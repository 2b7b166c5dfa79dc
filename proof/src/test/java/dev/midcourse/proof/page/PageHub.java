package dev.midcourse.proof.page;

import dev.midcourse.hub.HubMain;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.proof.bench.fixture.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A hub process, and requests to it beside the browser. */
final class PageHub implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private final Path data;
  private final HttpClient client = HttpClient.newHttpClient();
  private Process process;
  private int port;

  private PageHub(Path data, Process process) {
    this.data = data;
    this.process = process;
  }

  static PageHub start(Path data) throws IOException {
    PageHub hub = new PageHub(data, launch(data, FreePorts.next()));
    hub.awaitUp();
    return hub;
  }

  private static Process launch(Path data, int port) throws IOException {
    Files.createDirectories(data);
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                HubMain.class.getName(),
                "--port",
                Integer.toString(port))
            .redirectErrorStream(true)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectOutput(Redirect.appendTo(data.resolve("hub.out").toFile()));
    builder.environment().put("MIDCOURSE_HOME", data.toString());
    return builder.start();
  }

  private void awaitUp() {
    Awaitility.await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .failFast("the hub ended: " + data.resolve("hub.out"), () -> !process.isAlive())
        .until(() -> {
          JsonNode file = JsonCodec.mapper().readTree(Files.readString(data.resolve("hub.json")));
          port = URI.create(file.path("url").asString("")).getPort();
          return get("/health").path("pid").asLong(0) == process.pid();
        });
  }

  /** Kills the hub with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("process " + process.pid() + " cannot be killed");
    }
  }

  /** Starts another hub at the same address. */
  void startAgain() throws IOException {
    process = launch(data, port);
    awaitUp();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  /** Returns a link with which a browser signs in, once and within a minute. */
  String link(String path) {
    return url(path) + "#code=" + post("/sign-in-codes", Map.of()).path("code").asString("");
  }

  String token() {
    try {
      return Files.readString(data.resolve("token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode get(String path) {
    return send(HttpRequest.newBuilder().GET(), path);
  }

  JsonNode post(String path, Map<String, ?> body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JsonCodec.write(body)));
    return send(request, path);
  }

  JsonNode delete(String path) {
    return send(HttpRequest.newBuilder().DELETE(), path);
  }

  int port() {
    return port;
  }

  private JsonNode send(HttpRequest.Builder request, String path) {
    HttpRequest ready =
        request
            .uri(URI.create(url("/api/v1" + path)))
            .header("Authorization", "Bearer " + token())
            .timeout(TIMEOUT)
            .build();
    try {
      return JsonCodec.mapper().readTree(client.send(ready, BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the status of an attempt to start a run with this secret instead of the token. */
  int statusOfRunWith(String secret) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url("/api/v1/runs")))
            .header("Authorization", "Bearer " + secret)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"prompt\":\"$ true\",\"agent\":\"rehearsal\"}"))
            .timeout(TIMEOUT)
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** Starts a rehearsal run and returns when its first turn runs. */
  void run(String id, String prompt) {
    JsonNode created = post("/runs", Map.of("run_id", id, "prompt", prompt, "agent", "rehearsal"));
    Awaitility.await("run " + created)
        .atMost(TIMEOUT)
        .until(() -> get("/runs/" + id).path("turn").asInt(0) > 0);
  }

  String state(String run) {
    return get("/runs/" + run).path("state").asString("");
  }

  /** Ends every run first, because agents outlive their hub. Waiting runs must not start. */
  @Override
  public void close() throws InterruptedException {
    try (client) {
      stopAll("queued");
      stopAll("running");
    } finally {
      kill();
    }
  }

  private void stopAll(String state) {
    JsonNode some = get("/runs?state=" + state).path("runs");
    while (!some.isEmpty()) {
      for (JsonNode run : some) {
        post("/runs/" + run.path("run_id").asString("") + "/stop", Map.of("wait", true));
      }
      some = get("/runs?state=" + state).path("runs");
    }
  }
}
