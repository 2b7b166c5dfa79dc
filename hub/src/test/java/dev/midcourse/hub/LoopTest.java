package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Autopilot loops over HTTP, with a real hub and real agents. */
class LoopTest {
  private static final String COMMIT =
      "$ printf 'right\\n' > app.txt; git add -A; git -c user.name=R -c user.email=r@localhost commit -qm x";

  @TempDir private Path data;
  @TempDir private Path repository;
  private Hub hub;
  private RawClient client;

  @BeforeEach
  void open() throws Exception {
    git("init", "-q", "-b", "main", ".");
    git(
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@localhost",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x");
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]

        [groups.olga]
        role = "observer"
        """);
    hub = Hub.start(SettingsFile.read(data).withPort(0));
    client = new RawClient(UnixDomainSocketAddress.of(data.resolve("hub.sock")), Map.of());
  }

  @AfterEach
  void close() {
    hub.close();
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder git = new ProcessBuilder("git").directory(repository.toFile()).inheritIO();
    git.command().addAll(List.of(arguments));
    assertThat(git.start().waitFor()).isZero();
  }

  private RawClient.Reply post(String path, Map<String, Object> body) {
    return client.post("/api/v1/loops" + path, JsonCodec.mapper().writeValueAsString(body));
  }

  private JsonNode get(String path) {
    return client.get("/api/v1/loops" + path).json();
  }

  private String create(String prompt, String reviewer) {
    RawClient.Reply created =
        post(
            "",
            Map.of(
                "prompt",
                prompt,
                "repo",
                repository.toString(),
                "agent",
                "rehearsal",
                "reviewer",
                reviewer,
                "ci",
                "grep -q right app.txt",
                "branch",
                "work"));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.text("loop_id");
  }

  private void awaitPhase(String loop, String phase) {
    await().until(() -> get("/" + loop).path("loop").path("phase").asString(), phase::equals);
  }

  @Test
  void a_loop_is_started_shown_and_done() {
    String id = create("Write it.\n" + COMMIT, "rehearsal");
    awaitPhase(id, "done");
    JsonNode details = get("/" + id.substring(0, 6));
    assertThat(details.path("loop").path("result").asString())
        .contains("reviewed by rehearsal", "CI green");
    assertThat(details.path("loop").path("reviewed").asBoolean()).isTrue();
    assertThat(details.path("news").valueStream().map(news -> news.path("text").asString()))
        .anyMatch(text -> text.startsWith("done: "));
    assertThat(get("").path("loops").isEmpty()).isTrue();
    assertThat(get("?all=true").path("loops").size()).isEqualTo(1);
  }

  @Test
  void news_are_waited_for_by_cursor() {
    String id = create("Write it.\n" + COMMIT, "me");
    awaitPhase(id, "check");
    await()
        .until(
            () -> get("/" + id).path("loop").path("check").path("ci").asString().equals("green"));
    long cursor = get("/" + id).path("cursor").asLong();
    String head = get("/" + id).path("loop").path("head").asString();
    RawClient.Reply wrong = post("/" + id + "/review", Map.of("head", "0123456"));
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.body()).contains("waits for one");
    assertThat(post("/" + id + "/review", Map.of("head", head)).status()).isEqualTo(200);
    JsonNode later = get("/" + id + "?after=" + cursor + "&timeout=20s");
    assertThat(later.path("news").valueStream().map(news -> news.path("text").asString()))
        .anyMatch(text -> text.contains("found nothing to fix"));
    awaitPhase(id, "done");
  }

  @Test
  void a_steer_in_a_wait_is_held_and_can_be_withdrawn() {
    String id = create("Write it.\n" + COMMIT, "me");
    awaitPhase(id, "check");
    RawClient.Reply steered =
        post("/" + id + "/steers", Map.of("text", "keep the API", "scope", "fix"));
    assertThat(steered.status()).isEqualTo(201);
    JsonNode steer = steered.json().path("steers").get(0);
    assertThat(steer.path("state").asString()).isEqualTo("held for fix 1");
    String steerId = steer.path("steer_id").asString().substring(0, 8);
    RawClient.Reply withdrawn = post("/" + id + "/steers/" + steerId + "/withdraw", Map.of());
    assertThat(withdrawn.json().path("steers").get(0).path("state").asString())
        .isEqualTo("withdrawn: withdrawn by its author");
    assertThat(post("/" + id + "/stop", Map.of()).text("phase")).isEqualTo("stopped");
    assertThat(post("/" + id + "/steers", Map.of("text", "x")).status()).isEqualTo(410);
  }

  /** Seen to fail when the place in the queue is not shown. */
  @Test
  void a_loop_that_waits_to_land_is_shown_with_its_place() throws Exception {
    Path gate = data.resolve("gate");
    String ci =
        "case \"$PWD\" in */.merges/*) while [ ! -e %s ]; do sleep 0.05; done;; esac"
            .formatted(gate);
    RawClient.Reply created =
        post(
            "",
            Map.of(
                "prompt",
                "Write it.\n$ sleep 0.5\n" + COMMIT,
                "repo",
                repository.toString(),
                "agent",
                "rehearsal",
                "reviewer",
                "none",
                "ci",
                ci,
                "land",
                true));
    String id = created.text("loop_id");
    await().until(() -> !get("/" + id).path("loop").path("calls").isEmpty());
    git(
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@localhost",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "y");
    await().until(() -> get("/" + id).path("queue").path("test").has("commit"));
    assertThat(get("/" + id).path("queue").path("number").asInt()).isEqualTo(1);
    JsonNode queue = client.get("/api/v1/merge-queues").json().path("queues").get(0);
    assertThat(queue.path("base").asString()).isEqualTo("main");
    assertThat(queue.path("loops").get(0).path("loop_id").asString()).isEqualTo(id);
    assertThat(queue.path("loops").get(0).path("tested").asBoolean()).isTrue();
    Files.createFile(gate);
    awaitPhase(id, "done");
    assertThat(client.get("/api/v1/merge-queues").json().path("queues").isEmpty()).isTrue();
  }

  @Test
  void a_steer_with_the_same_key_is_stored_once() {
    String id = create("Write it.\n" + COMMIT, "me");
    awaitPhase(id, "check");
    Map<String, Object> steer = Map.of("text", "keep the API", "scope", "fix", "key", "k1");
    assertThat(post("/" + id + "/steers", steer).status()).isEqualTo(201);
    assertThat(post("/" + id.substring(0, 6) + "/steers", steer).json().path("steers").size())
        .isEqualTo(1);
    assertThat(post("/" + id + "/steers", Map.of("text", "other", "key", "k1")).status())
        .isEqualTo(409);
    assertThat(post("/" + id + "/stop", Map.of()).status()).isEqualTo(200);
  }

  @Test
  void the_changes_of_the_branch_and_of_a_call_are_a_patch_with_its_commits() {
    String id = create("Write it.\n" + COMMIT, "me");
    awaitPhase(id, "check");
    String head = get("/" + id).path("loop").path("head").asString();
    for (String of : List.of("", "?call=1")) {
      RawClient.Reply diff = client.get("/api/v1/loops/" + id + "/diff" + of);
      assertThat(diff.body()).contains("+++ b/app.txt", "+right");
      assertThat(diff.headers()).containsEntry("midcourse-patch", "whole");
      assertThat(diff.headers()).containsEntry("midcourse-head", head);
    }
    RawClient.Reply ofCi = client.get("/api/v1/loops/" + id + "/diff?call=2");
    assertThat(ofCi.headers()).containsEntry("midcourse-patch", "none");
    JsonNode work = get("/" + id).path("progress").path("calls").get(0);
    assertThat(work.path("commit").asString()).isEqualTo(head);
    assertThat(work.path("changes").asBoolean()).isTrue();
    assertThat(work.path("state").asString()).isEqualTo("done");
    assertThat(post("/" + id + "/stop", Map.of()).status()).isEqualTo(200);
  }

  @Test
  void wrong_requests_name_the_field() {
    assertThat(post("", Map.of("prompt", "x", "repo", "/nowhere")).body()).contains("repo");
    assertThat(post("", Map.of("prompt", "x", "repo", data.toString())).body())
        .contains("is not a git repository");
    assertThat(
            post("", Map.of("prompt", "x", "repo", repository.toString(), "reviewer", "nobody-has"))
                .status())
        .isEqualTo(422);
    for (String limit : List.of("tokens", "budget", "fixes")) {
      Map<String, Object> order = Map.of("prompt", "x", "repo", repository.toString(), limit, "2");
      assertThat(post("", order).body()).contains(limit + " must be a");
    }
    Map<String, Object> none = Map.of("prompt", "x", "repo", repository.toString(), "tokens", 0);
    assertThat(post("", none).body()).contains("tokens must be at least 1");
    assertThat(client.get("/api/v1/loops/none").status()).isEqualTo(404);
  }

  @Test
  void no_agent_of_the_settings_takes_the_name_of_ci(@TempDir Path other) throws IOException {
    Files.writeString(
        other.resolve("midcourse.toml"), "[agents.ci]\ndriver = \"command\"\ncommand = \"sh\"\n");
    assertThatThrownBy(() -> SettingsFile.read(other))
        .hasMessageContaining("taken by the commands of autopilot loops");
  }

  /** Seen to fail when the signature is not compared. */
  @Test
  void only_a_signed_event_of_a_forge_is_taken() throws Exception {
    String body = "{\"repository\": {\"full_name\": \"acme/shop\"}}";
    Path secret = Files.writeString(data.resolve("hook"), "s3cret\n");
    Files.setPosixFilePermissions(
        secret, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [forges.github]
        kind = "github"
        token_command = "echo x"
        hook_secret_file = "hook"
        """);
    hub.close();
    hub = Hub.start(SettingsFile.read(data).withPort(0));
    assertThat(hook("github", body, HookSignature.hmac("s3cret", body.getBytes(UTF_8))))
        .isEqualTo(200);
    assertThat(hook("github", body, HookSignature.hmac("other", body.getBytes(UTF_8))))
        .isEqualTo(401);
    assertThat(hook("gitlab", body, HookSignature.hmac("s3cret", body.getBytes(UTF_8))))
        .isEqualTo(401);
  }

  private int hook(String forge, String body, String signature) throws Exception {
    try (var http = java.net.http.HttpClient.newHttpClient()) {
      var request =
          java.net.http.HttpRequest.newBuilder(
                  java.net.URI.create("http://127.0.0.1:" + hub.port() + "/api/v1/hooks/" + forge))
              .header("Content-Type", "application/json")
              .header("X-GitHub-Event", "check_run")
              .header("X-GitHub-Delivery", "d-1")
              .header("X-Hub-Signature-256", "sha256=" + signature)
              .POST(java.net.http.HttpRequest.BodyPublishers.ofString(body))
              .build();
      return http.send(request, java.net.http.HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void a_loop_at_a_forge_that_is_not_in_the_settings_is_refused() {
    RawClient.Reply refused =
        post(
            "",
            Map.of(
                "prompt",
                "x",
                "repo",
                repository.toString(),
                "agent",
                "rehearsal",
                "forge",
                "github"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("[forges.github]");
    assertThat(client.get("/api/v1/forges").json().path("forges").isEmpty()).isTrue();
  }
}
