package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.ledger.json.JsonCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Schedules over HTTP and MCP, with a real hub. */
class ScheduleTest {
  @TempDir private Path data;
  private HubFixture fixture;

  @BeforeEach
  void open() throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.jarvis-worker-1]
        agent = "rehearsal"

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*", "night-shift"]
        """);
    fixture = HubFixture.asTheFileSays(data);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private RawClient.Reply post(String path, Map<String, Object> body) {
    return fixture
        .socket()
        .post("/api/v1/schedules" + path, JsonCodec.mapper().writeValueAsString(body));
  }

  private JsonNode get(String path) {
    return fixture.socket().get("/api/v1/schedules" + path).json();
  }

  private String daily() {
    return post("", Map.of("prompt", "Say hello", "cron", "0 9 * * *", "zone", "europe/berlin"))
        .text("schedule_id");
  }

  @Test
  void a_schedule_is_added_listed_shown_changed_paused_resumed_and_cancelled() {
    RawClient.Reply added =
        post(
            "",
            Map.of(
                "prompt",
                "Say hello",
                "cron",
                "0 9 * * *",
                "zone",
                "europe/berlin",
                "worker",
                "jarvis-worker-1",
                "missed",
                "skip"));
    assertThat(added.status()).isEqualTo(201);
    JsonNode schedule = added.json();
    String id = schedule.path("schedule_id").asString();
    assertThat(id).startsWith("say-hello-");
    assertThat(schedule.path("zone").asString()).isEqualTo("Europe/Berlin");
    assertThat(schedule.path("upcoming").valueStream().map(JsonNode::asString))
        .hasSize(3)
        .allMatch(time -> time.matches("[A-Z][a-z]{2} 2\\d{3}-\\d\\d-\\d\\d 09:00"));
    assertThat(get("").path("schedules")).hasSize(1);
    assertThat(get("/say-hello").path("schedule").path("missed").asString()).isEqualTo("skip");
    JsonNode changed =
        fixture
            .socket()
            .ask("PATCH", "/api/v1/schedules/" + id, "{\"cron\": \"30 10 * * *\"}")
            .json();
    assertThat(changed.path("next_local").asString()).endsWith("10:30");
    assertThat(post("/" + id + "/pause", Map.of()).text("state")).isEqualTo("paused");
    assertThat(get("/" + id).path("schedule").has("next_at")).isFalse();
    assertThat(post("/" + id + "/resume", Map.of()).text("state")).isEqualTo("active");
    assertThat(post("/" + id + "/cancel", Map.of()).text("state")).isEqualTo("ended");
    assertThat(get("").path("schedules")).isEmpty();
    assertThat(get("?all=true").path("schedules")).hasSize(1);
    assertThat(post("/" + id + "/resume", Map.of()).text("code")).isEqualTo("too_late");
  }

  @Test
  void a_bad_request_is_refused_when_it_is_made_and_adds_nothing() {
    assertRefused(Map.of("prompt", "x", "cron", "61 9 * * *"), "cron", "Value 61 not in range");
    assertRefused(Map.of("prompt", "x", "cron", ""), "cron", "it is empty");
    assertRefused(Map.of("prompt", "x"), "cron", "name cron, at or every");
    assertRefused(Map.of("prompt", "x", "cron", "@daily", "at", "2030-01-01"), "cron", "only one");
    assertRefused(Map.of("prompt", "x", "at", "tomorrow"), "at", "a local time such as");
    assertRefused(Map.of("prompt", "x", "at", "2020-01-01 09:00"), "at", "has passed");
    assertRefused(
        Map.of("prompt", "x", "cron", "@daily", "zone", "Berlin"), "zone", "Europe/Berlin?");
    assertRefused(Map.of("prompt", " ", "cron", "@daily"), "prompt", "blank");
    assertRefused(Map.of("prompt", "x", "cron", "@daily", "agent", "nobody"), "agent", "not found");
    assertRefused(
        Map.of("prompt", "x", "cron", "@daily", "check", "/none/such"), "check", "executable");
    assertThat(get("").path("schedules")).isEmpty();
  }

  private void assertRefused(Map<String, Object> request, String field, String words) {
    RawClient.Reply refused = post("", request);
    assertThat(refused.status()).as(refused.body()).isIn(400, 422);
    assertThat(refused.text("field")).as(refused.body()).isEqualTo(field);
    assertThat(refused.body()).contains(words);
  }

  @Test
  void a_due_time_starts_a_run_without_any_request() {
    String id =
        post("", Map.of("prompt", "Say hello", "cron", "* * * * * *", "zone", "UTC"))
            .text("schedule_id");
    await().atMost(Duration.ofMinutes(1)).until(() -> !get("/" + id).path("runs").isEmpty());
    String run = get("/" + id).path("runs").get(0).path("run_id").asString();
    post("/" + id + "/cancel", Map.of());
    assertThat(fixture.socket().get("/api/v1/runs/" + run).json().path("author").toString())
        .contains("schedule");
  }

  @Test
  void a_run_by_hand_is_listed_and_the_hub_is_not_idle_while_a_schedule_is_active() {
    String id = daily();
    RawClient.Reply started = post("/" + id + "/run", Map.of());
    assertThat(started.status()).isEqualTo(201);
    JsonNode due = started.json().path("runs").get(0);
    assertThat(due.path("reason").asString()).isEqualTo("by hand");
    fixture.socket().get("/api/v1/runs/" + due.path("run_id").asString() + "?wait=end");
    assertThat(fixture.hub().idle()).isFalse();
    post("/" + id + "/cancel", Map.of());
    await().atMost(Duration.ofMinutes(1)).until(() -> fixture.hub().idle());
  }

  private JsonNode tool(String name, Map<String, Object> arguments) {
    String message =
        JsonCodec.mapper()
            .writeValueAsString(
                Map.of(
                    "jsonrpc",
                    "2.0",
                    "id",
                    1,
                    "method",
                    "tools/call",
                    "params",
                    Map.of("name", name, "arguments", arguments)));
    return fixture.socket().post("/mcp?as=andy-developer", message).json().path("result");
  }

  private static JsonNode content(JsonNode result) {
    assertThat(result.path("isError").asBoolean(false)).as(result.toString()).isFalse();
    return JsonCodec.mapper().readTree(result.path("content").get(0).path("text").asString());
  }

  @Test
  void an_agent_uses_the_tools_and_does_not_reach_schedules_of_others() {
    String others = daily();
    JsonNode task =
        content(
            tool(
                "schedule_task",
                Map.of(
                    "prompt",
                    "Look at the build",
                    "cron",
                    "0 7 * * 1-5",
                    "zone",
                    "Asia/Tokyo",
                    "worker",
                    "night-shift")));
    String id = task.path("schedule_id").asString();
    assertThat(task.path("created_by").toString()).contains("andy-developer");
    assertThat(content(tool("list_tasks", Map.of())).path("tasks"))
        .extracting(it -> it.path("schedule_id").asString())
        .containsExactly(id);
    JsonNode updated = content(tool("update_task", Map.of("task_id", id, "cron", "15 7 * * 1-5")));
    assertThat(updated.path("next_local").asString()).endsWith("07:15");
    assertThat(content(tool("pause_task", Map.of("task_id", id))).path("state").asString())
        .isEqualTo("paused");
    assertThat(content(tool("resume_task", Map.of("task_id", id))).path("state").asString())
        .isEqualTo("active");
    assertThat(content(tool("cancel_task", Map.of("task_id", id))).path("state").asString())
        .isEqualTo("ended");
    JsonNode refused = tool("cancel_task", Map.of("task_id", others));
    assertThat(refused.path("isError").asBoolean(false)).isTrue();
    assertThat(get("/" + others).path("schedule").path("state").asString()).isEqualTo("active");
    assertThat(tool("schedule_task", Map.of("prompt", "x", "cron", "@daily")).toString())
        .contains("lead andy-developer may not schedule a task of any");
  }
}
