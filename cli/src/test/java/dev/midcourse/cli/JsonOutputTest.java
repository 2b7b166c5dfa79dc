package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.command.Commands;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.spec.CommandSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The JSON output of every command fits its schema, with a real hub. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JsonOutputTest {
  private static final String BUSY = "Work.\n" + "$ sleep 1\n".repeat(300);
  private static final String DISPATCH =
      """
      {"run_id": "ping-1", "task_type": "test", "context_intent": "fresh", "input": "Say hello.",
       "repo": "acme/shop", "branch": "jarvis-x", "acceptance_tests": ["it answers"],
       "output_contract": {"required_fields": ["run_id", "branch", "commit_sha", "files_changed",
         "test_result", "risk", "pr_url"]}}
      """;

  /** A command line, and the schema for each printed value. */
  private record Said(Form form, String schema, List<String> words) {
    static Said one(String schema, String... words) {
      return new Said(Form.ONE, schema, List.of(words));
    }

    static Said array(String schema, String... words) {
      return new Said(Form.ARRAY, schema, List.of(words));
    }

    static Said lines(String schema, String... words) {
      return new Said(Form.LINES, schema, List.of(words));
    }

    static Said file(String schema, String... words) {
      return new Said(Form.FILE, schema, List.of(words));
    }

    String command() {
      return words.getFirst();
    }
  }

  private enum Form {
    /** One value of a schema that the hub publishes. */
    ONE,
    /** An array of such values, not an empty one. */
    ARRAY,
    /** Such values, one on each line. */
    LINES,
    /** One value, with a schema of the command's own. */
    FILE
  }

  private RealHub hub;
  private PublishedSchemas schemas;
  private Path task;
  private Path repository;

  @BeforeAll
  void a_hub_with_runs_in_all_conditions(@TempDir Path data) throws IOException {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers."jarvis-worker-*"]
        agent = "rehearsal"
        [workers.limited]
        agent = "rehearsal"
        limits = { time = "1s" }
        [groups.andy]
        role = "lead"
        workers = ["jarvis-worker-*"]
        """);
    task = Files.writeString(data.resolve("task.json"), DISPATCH);
    repository = emptyRepository(data.resolve("shop"));
    StoredChats.in(data);
    hub = RealHub.start(data);
    hub.run("busy", BUSY);
    hub.run("over", BUSY);
    hub.run("limited", BUSY);
    hub.run("short", "$ sleep 1");
    hub.run("asking", "? May I go on\n$ true");
    Awaitility.await()
        .atMost(RealHub.TIMEOUT)
        .until(() -> hub.cli().type("next", "--quiet").out().equals("asking\n"));
    SignedInBrowser.at(HubClient.at(data));
    Awaitility.await()
        .atMost(RealHub.TIMEOUT)
        .until(() -> HubClient.at(data).get("/runs/limited").text("needs").isPresent());
    schemas = PublishedSchemas.of(HubClient.at(data));
  }

  private static Path emptyRepository(Path folder) throws IOException {
    String script =
        "git init -q -b main \"$0\" && git -C \"$0\" -c user.name=A -c user.email=a@localhost"
            + " commit -q --allow-empty -m start";
    Process git = new ProcessBuilder("sh", "-c", script, folder.toString()).inheritIO().start();
    assertThat(git.onExit().join().exitValue()).isZero();
    return folder;
  }

  @AfterAll
  void end_everything() throws IOException, InterruptedException {
    hub.close();
  }

  /** Returns the commands in order. The shutdown is last, because the others need the hub. */
  private List<Said> said() {
    String first = steer("then the changelog");
    String second = steer("then the README");
    return List.of(
        Said.one("RunView", "run", "--agent", "rehearsal", "$ true"),
        Said.file("next", "next"),
        Said.one("ScheduleView", "schedule", "add", "@daily", "Summarise the open issues"),
        Said.one(
            "LoopView",
            "autopilot",
            "--detach",
            "--repo",
            repository.toString(),
            "--agent",
            "rehearsal",
            "$ true"),
        Said.array("OnePerson", "people"),
        Said.one("OneWiring", "wire", "family", "jarvis-worker-1"),
        Said.array("OneWiring", "wirings"),
        Said.array("OneChat", "chats"),
        Said.array("OneApproval", "approvals"),
        Said.one("Why", "why", "1"),
        Said.array("OneOutbound", "outbox"),
        Said.array("OneChannel", "channel"),
        Said.one("OneAsk", "answer", "asking", "allow"),
        Said.one("Receipt", "steer", "busy", "use tabs", "--wait", "injected"),
        Said.array("Receipt", "steers", "busy"),
        Said.one("Receipt", "receipt", first),
        Said.one("Receipt", "edit", first, "then the NEWS"),
        Said.one("Receipt", "promote", second),
        Said.one("Receipt", "withdraw", first),
        Said.one("RunView", "attach", "short"),
        Said.array("RunView", "dismiss", "limited"),
        Said.array("RunView", "stop", "over"),
        Said.one("Repaired", "repair", "over"),
        Said.one("RunView", "restart", "over", "--prompt", "$ true"),
        Said.one("RunView", "review", "over"),
        Said.one("RunView", "dispatch", task.toString(), "--worker", "jarvis-worker-1"),
        Said.one("Check", "contract", "check", task.toString()),
        Said.one("RunView", "show", "busy"),
        Said.lines("OneEvent", "logs", "busy"),
        Said.array("RunView", "ps", "--all"),
        Said.array("OneAgent", "agents", "--all"),
        Said.array("OneWorker", "workers"),
        Said.array("OneGroup", "groups"),
        Said.one("Health", "status"),
        Said.array("OneSession", "sessions"),
        Said.one("Pruned", "prune", "--older-than", "30d"),
        Said.file("doctor", "doctor"),
        Said.one("ShutdownResult", "shutdown"));
  }

  private String steer(String text) {
    CliRunner.Typed typed = hub.cli().type("steer", "busy", text, "--later", "--json");
    return PublishedSchemas.MAPPER.readTree(typed.out()).path("steer_id").asString();
  }

  @Test
  void every_command_that_offers_json_prints_what_its_schema_says()
      throws IOException, InterruptedException {
    Map<String, String> wrong = new LinkedHashMap<>();
    List<Said> all = said();
    for (Said one : all) {
      String[] words =
          Stream.concat(one.words().stream(), Stream.of("--json")).toArray(String[]::new);
      CliRunner.Typed typed = hub.cli().type(words);
      assertThat(typed.code()).as(one + "\n" + typed.all()).isEqualTo(ExitCode.DONE);
      List<?> found = wrong(one, typed.out());
      if (!found.isEmpty()) {
        wrong.put(one.command(), found + "\n" + typed.out());
      }
    }
    hub.awaitGone();
    assertThat(wrong).isEmpty();
    assertThat(all.stream().map(Said::command))
        .as("a command that offers --json and has no schema here")
        .containsExactlyInAnyOrderElementsOf(offering());
  }

  private static List<String> offering() {
    return Commands.specs().stream()
        .filter(spec -> spec.options().stream().anyMatch(option -> option.name().equals("--json")))
        .map(CommandSpec::name)
        .toList();
  }

  private List<?> wrong(Said said, String out) throws IOException {
    return switch (said.form()) {
      case ONE -> schemas.wrong(said.schema(), PublishedSchemas.MAPPER.readTree(out));
      case FILE ->
          PublishedSchemas.wrongByFile(said.schema(), PublishedSchemas.MAPPER.readTree(out));
      case ARRAY -> {
        JsonNode values = PublishedSchemas.MAPPER.readTree(out);
        assertThat(values.isArray() && !values.isEmpty()).as(said + "\n" + out).isTrue();
        yield wrong(said, values.valueStream());
      }
      case LINES -> wrong(said, out.lines().map(PublishedSchemas.MAPPER::readTree));
    };
  }

  private List<?> wrong(Said said, Stream<JsonNode> values) {
    return values.flatMap(value -> schemas.wrong(said.schema(), value).stream()).toList();
  }

  @Test
  void a_value_that_no_schema_knows_is_found_out() {
    JsonNode author = PublishedSchemas.MAPPER.readTree("{\"group\":\"g\",\"origin\":\"o\"}");
    JsonNode more = PublishedSchemas.MAPPER.readTree("{\"group\":\"g\",\"origin\":\"o\",\"x\":1}");
    assertThat(schemas.wrong("Author", author)).isEmpty();
    assertThat(schemas.wrong("Author", more)).isNotEmpty();
  }
}
