package dev.midcourse.proof.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.NewRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The actions of a lead with its tools, over both transports, with a client that is not part of
 * this project.
 */
abstract class McpSuite {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int WRONG_PARAMETERS = -32602;

  /** The transports. */
  enum Transport {
    /** {@code midcourse mcp}. */
    STDIO,
    /** {@code /mcp} of the hub. */
    HTTP
  }

  @TempDir private Path data;
  private McpFixture fixture;

  /** Connects the client of this suite. */
  abstract LeadTools connect(McpFixture fixture, Transport transport) throws Exception;

  @BeforeEach
  void open() throws Exception {
    fixture = new McpFixture(data);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  final McpFixture fixture() {
    return fixture;
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void a_lead_finds_its_tools_and_leads_a_run_to_its_end(Transport transport) throws Exception {
    try (LeadTools tools = connect(fixture, transport)) {
      assertThat(tools.tools())
          .containsExactlyInAnyOrder(
              "dispatch_run",
              "list_runs",
              "show_run",
              "steer_run",
              "withdraw_steer",
              "stop_run",
              "review_run",
              "answer_ask",
              "schedule_task",
              "list_tasks",
              "update_task",
              "pause_task",
              "resume_task",
              "cancel_task");
      JsonNode run = done(tools, "dispatch_run", Map.of("dispatch", dispatch("sync-1")));
      assertThat(run.path("worker").asString()).isEqualTo("jarvis-worker-1");
      assertThat(done(tools, "list_runs", Map.of()).path("runs").valueStream())
          .extracting(it -> it.path("run_id").asString())
          .containsExactly("sync-1");
      JsonNode receipt =
          done(
              tools,
              "steer_run",
              Map.of("run_id", "sync-1", "text", "be quick", "wait_for", "accepted"));
      assertThat(receipt.path("rung").asString()).isNotIn("stored", "offered");
      JsonNode later =
          done(
              tools,
              "steer_run",
              Map.of("run_id", "sync-1", "text", "then rest", "mode", "follow_up"));
      String steer = later.path("steer_id").asString();
      JsonNode withdrawn = done(tools, "withdraw_steer", Map.of("steer_id", steer));
      assertThat(withdrawn.toString()).contains("withdrawn");
      done(tools, "stop_run", Map.of("run_id", "sync-1"));
      JsonNode shown = done(tools, "show_run", Map.of("run_id", "sync-1", "wait_seconds", 60));
      assertThat(shown.path("view").path("state").asString()).isEqualTo("stopped");
      assertThat(shown.path("steers").size()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void a_lead_takes_the_work_of_a_run_that_asks_for_review(Transport transport) throws Exception {
    try (LeadTools tools = connect(fixture, transport)) {
      done(tools, "dispatch_run", Map.of("dispatch", dispatch("sync-1")));
      await().atMost(Duration.ofMinutes(1)).until(() -> isAtWork(tools, "sync-1"));
      done(
          tools,
          "steer_run",
          Map.of("run_id", "sync-1", "text", completion("sync-1"), "mode", "interrupt"));
      JsonNode shown = done(tools, "show_run", Map.of("run_id", "sync-1", "wait_seconds", 60));
      assertThat(shown.path("view").path("state").asString()).isEqualTo("review_requested");
      JsonNode accepted =
          done(tools, "review_run", Map.of("run_id", "sync-1", "verdict", "accept"));
      assertThat(accepted.path("state").asString()).isEqualTo("done");
    }
  }

  /** Returns whether the first turn runs. Before it, a steer would become part of the task. */
  private static boolean isAtWork(LeadTools tools, String run) throws Exception {
    JsonNode view = done(tools, "show_run", Map.of("run_id", run)).path("view");
    return !view.path("progress").path("tool").asString("").isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void a_refusal_tells_the_model_what_to_change(Transport transport) throws Exception {
    try (LeadTools tools = connect(fixture, transport)) {
      assertThat(refused(tools, "dispatch_run", Map.of("dispatch", Map.of("run_id", "a b"))))
          .contains("- run_id:", "- branch:", "(rule: required)");
      assertThat(refused(tools, "show_run", Map.of("run_id", "nobody"))).contains("run_id");
      assertThat(refused(tools, "steer_run", Map.of("run_id", "x", "speed", 3)))
          .contains("- text: text is missing (rule: required)", "- speed: unknown field \"speed\"");
      assertThatExceptionOfType(LeadTools.NoSuchThing.class)
          .isThrownBy(() -> tools.call("dance", Map.of()))
          .matches(e -> e.code() == WRONG_PARAMETERS);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void a_lead_reaches_no_run_of_a_worker_that_is_not_its_own(Transport transport) throws Exception {
    strangersRun();
    try (LeadTools tools = connect(fixture, transport)) {
      assertThat(done(tools, "list_runs", Map.of()).path("runs")).isEmpty();
      Map<String, Object> other = Map.of("run_id", "others-1");
      assertThat(refused(tools, "show_run", other)).contains("may not");
      assertThat(refused(tools, "stop_run", other)).contains("may not stop");
      assertThat(refused(tools, "steer_run", Map.of("run_id", "others-1", "text", "hello")))
          .contains("may not steer");
      assertThat(refused(tools, "review_run", Map.of("run_id", "others-1", "verdict", "accept")))
          .contains("may not review");
      assertThat(
              refused(
                  tools,
                  "dispatch_run",
                  Map.of("worker", "other-worker-1", "dispatch", dispatch("sync-9"))))
          .contains("may not start a run of other-worker-1");
    }
  }

  private void strangersRun() {
    RunSpec spec =
        new RunSpec(
            "$ sleep 600",
            AgentName.of("rehearsal"),
            WorkerName.of("other-worker-1"),
            data.toString(),
            Author.person("proof"),
            PendingPolicy.ALL,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    fixture.hub().engine().runs().create(new NewRun(Optional.of(RunId.of("others-1")), spec));
  }

  private static JsonNode done(LeadTools tools, String tool, Map<String, Object> arguments)
      throws Exception {
    LeadTools.Said said = tools.call(tool, arguments);
    assertThat(said.refused()).as(said.text()).isFalse();
    return JSON.readTree(said.text());
  }

  private static String refused(LeadTools tools, String tool, Map<String, Object> arguments)
      throws Exception {
    LeadTools.Said said = tools.call(tool, arguments);
    assertThat(said.refused()).as(said.text()).isTrue();
    return said.text();
  }

  private static Map<String, Object> dispatch(String run) {
    return Dispatches.of(run, "test", "jarvis-x", "Wait:\n$ sleep 600");
  }

  /** Returns a completion. The rehearsal agent repeats its instructions in its answer. */
  private static String completion(String run) {
    return """
    <completion>{"run_id":"%s","branch":"jarvis-x","commit_sha":"none","files_changed":[],
    "test_result":"ok","risk":"none","pr_skipped_reason":"nothing built"}</completion>\
    """
        .formatted(run);
  }
}
