package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.ledger.json.JsonCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** HTTP, MCP and file mailboxes give each role the same answer to the same request. */
class InterfacesAgreeTest {
  private static final String DONE = "done";

  @TempDir private Path data;
  private HubFixture fixture;

  @BeforeEach
  void open() throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.jarvis-worker-1]
        agent = "rehearsal"
        pending = "all"

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]

        [groups.andy-bot]
        role = "observer"

        [groups.jarvis-worker-1]
        role = "worker"

        [groups.family]
        role = "member"
        """);
    fixture = HubFixture.asTheFileSays(data);
    start("jarvis-worker-1", "led");
    start("elsewhere", "other");
    start("family", "private");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Seen to fail when HTTP checks whether the caller may see everything before it lists runs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "main            | led,other,private",
        "andy-developer  | led",
        "andy-bot        | led,other,private",
        "jarvis-worker-1 | worker jarvis-worker-1 may not see other runs",
        "family          | member family may not see other runs",
      })
  void each_role_lists_the_same_runs(String group, String expected) {
    assertThat(listOverHttp(group)).as("HTTP").isEqualTo(expected);
    assertThat(listOverMcp(group)).as("MCP").isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "main            | led     | done",
        "andy-developer  | led     | done",
        "andy-developer  | other   | lead andy-developer may not see run other, or it does not exist",
        "andy-bot        | other   | done",
        "jarvis-worker-1 | led     | done",
        "jarvis-worker-1 | other   | worker jarvis-worker-1 may not see run other, or it does not exist",
        "family          | private | done",
        "family          | led     | member family may not see run led, or it does not exist",
      })
  void each_role_sees_the_same_runs(String group, String run, String expected) {
    assertThat(outcome(fixture.socket().get("/api/v1/runs/" + run + "?as=" + group)))
        .as("HTTP")
        .isEqualTo(expected);
    assertThat(overMcp(group, "show_run", Map.of("run_id", run))).as("MCP").isEqualTo(expected);
  }

  /** The mailbox of a main group does not exist: a file does not prove a person. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "main            | led     | true  |",
        "andy-developer  | led     | true  |",
        "andy-developer  | other   | false | lead andy-developer",
        "andy-bot        | led     | true  | observer andy-bot",
        "jarvis-worker-1 | led     | true  | worker jarvis-worker-1",
        "family          | private | true  |",
        "family          | led     | false | member family",
      })
  void each_role_directs_the_same_runs(
      String group, String run, boolean visible, @Nullable String role) throws Exception {
    Optional<String> refused = Optional.ofNullable(role);
    String steer = "{\"text\":\"be quick\",\"mode\":\"follow_up\"}";
    String steered = "/api/v1/runs/" + run + "/steers";
    String id = fixture.socket().post(steered, steer).text("steer_id");
    List<String> mailbox = new ArrayList<>();
    List<String> http = new ArrayList<>();
    List<String> mcp = new ArrayList<>();
    RawClient person = fixture.socket();

    http.add(outcome(person.post(steered + "?as=" + group, steer)));
    mcp.add(
        overMcp(
            group, "steer_run", Map.of("run_id", run, "text", "be quick", "mode", "follow_up")));
    mailbox.add(
        overMailbox(
            group,
            "steer",
            Map.of(
                "type",
                "steer_worker",
                "run_id",
                run,
                "message",
                "be quick",
                "mode",
                "follow_up")));

    http.add(
        outcome(
            person.post(
                "/api/v1/runs/" + run + "/review?as=" + group, "{\"verdict\":\"accept\"}")));
    mcp.add(overMcp(group, "review_run", Map.of("run_id", run, "verdict", "accept")));
    mailbox.add(
        overMailbox(
            group, "review", Map.of("type", "review_run", "run_id", run, "verdict", "accept")));

    http.add(outcome(person.post("/api/v1/steers/" + id + "/withdraw?as=" + group, "{}")));
    mcp.add(overMcp(group, "withdraw_steer", Map.of("steer_id", id)));
    mailbox.add(overMailbox(group, "withdraw", Map.of("type", "withdraw_steer", "steer_id", id)));

    http.add(outcome(person.post("/api/v1/runs/" + run + "/stop?as=" + group, "{}")));
    mcp.add(overMcp(group, "stop_run", Map.of("run_id", run)));
    mailbox.add(overMailbox(group, "stop", Map.of("type", "stop_worker", "run_id", run)));

    List<String> words =
        visible
            ? Stream.of("steer", "review", "withdraw a steer of", "stop")
                .map(verb -> verb + " run " + run)
                .toList()
            : Stream.of(
                    "steer run " + run,
                    "review run " + run,
                    "withdraw steer " + id,
                    "stop run " + run)
                .map(what -> what + ", or it does not exist")
                .toList();
    for (int i = 0; i < words.size(); i++) {
      String why = refused.orElse("somebody") + " may not " + words.get(i);
      for (String answer : List.of(http.get(i), mcp.get(i), mailbox.get(i))) {
        if (refused.isPresent() && !answer.equals("no mailbox")) {
          assertThat(answer).isEqualTo(why);
        } else {
          assertThat(answer).as(words.get(i)).doesNotContain("may not");
        }
      }
    }
  }

  private void start(String worker, String run) {
    RawClient.Reply started =
        fixture
            .socket()
            .post(
                "/api/v1/runs",
                JsonCodec.write(Map.of("prompt", "$ sleep 600", "worker", worker, "run_id", run)));
    assertThat(started.status()).as(started.body()).isEqualTo(201);
  }

  private String listOverHttp(String group) {
    RawClient.Reply reply = fixture.socket().get("/api/v1/runs?as=" + group);
    return reply.status() == 200 ? ids(reply.json()) : reply.text("detail");
  }

  private String listOverMcp(String group) {
    JsonNode result = mcp(group, "list_runs", Map.of());
    return result.path("isError").asBoolean()
        ? why(result)
        : ids(JsonCodec.mapper().readTree(text(result)));
  }

  private static String ids(JsonNode page) {
    return String.join(
        ",",
        new TreeSet<>(
            page.path("runs").valueStream().map(run -> run.path("run_id").asString()).toList()));
  }

  private static String outcome(RawClient.Reply reply) {
    return reply.status() < 300 ? DONE : reply.text("detail");
  }

  private String overMcp(String group, String tool, Map<String, Object> arguments) {
    JsonNode result = mcp(group, tool, arguments);
    return result.path("isError").asBoolean() ? why(result) : DONE;
  }

  private JsonNode mcp(String group, String tool, Map<String, Object> arguments) {
    Map<String, Object> params = Map.of("name", tool, "arguments", arguments);
    String message =
        JsonCodec.write(
            Map.of("jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", params));
    return fixture.socket().post("/mcp?as=" + group, message).json().path("result");
  }

  private static String text(JsonNode result) {
    return result.path("content").path(0).path("text").asString();
  }

  /** Returns the message of the only problem of a refusal. */
  private static String why(JsonNode result) {
    return text(result).replaceAll("(?s).*\n- \\w+: (.*) \\(rule: .*", "$1");
  }

  private String overMailbox(String group, String name, Map<String, Object> task) throws Exception {
    Path box = data.resolve("ipc").resolve(group);
    if (Files.notExists(box)) {
      return "no mailbox";
    }
    String file = name + ".json";
    MailboxFixture.write(box.resolve("tasks"), file, JsonCodec.write(task));
    JsonNode reply =
        await()
            .atMost(MailboxFixture.LONG)
            .until(() -> reply(box, file), Optional::isPresent)
            .orElseThrow();
    return reply.path("kind").asString().equals("refusal")
        ? reply.path("problems").path(0).path("message").asString()
        : DONE;
  }

  private static Optional<JsonNode> reply(Path box, String file) {
    return MailboxFixture.files(box.resolve("input")).stream()
        .map(MailboxFixture::json)
        .filter(message -> message.path("in_reply_to").asString("").equals(file))
        .findFirst();
  }
}
