package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dispatches over HTTP: permissions, refusals and their log entries. */
class DispatchTest {

  @TempDir private Path data;
  private HubFixture fixture;

  @BeforeEach
  void open() throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers."jarvis-worker-*"]
        agent = "rehearsal"

        [workers.brief]
        agent = "rehearsal"
        limits = { time = "1s" }
        branch_prefix = "jarvis-"
        screenshots = false

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]

        [groups.andy-bot]
        role = "observer"

        [groups.family]
        role = "member"
        """);
    fixture = HubFixture.asTheFileSays(data);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void a_lead_dispatches_to_its_worker_and_the_run_is_the_leads() {
    RawClient.Reply run = dispatch("andy-developer", "jarvis-worker-1", "ping-1");
    assertThat(run.status()).as(run.body()).isEqualTo(201);
    assertThat(run.json().path("author").path("group").asString()).isEqualTo("andy-developer");
    assertThat(run.text("worker")).isEqualTo("jarvis-worker-1");
  }

  /** Seen to fail when only workers that are declared by their full names are offered. */
  @Test
  void without_a_worker_a_dispatch_goes_to_a_free_worker_of_a_pattern() {
    RawClient person = fixture.socket();
    for (int number = 1; number <= 2; number++) {
      String body = Dispatches.of("ping-" + number, "Wait:\\n$ sleep 600");
      RawClient.Reply run = person.post("/api/v1/dispatch?as=andy-developer", body);
      assertThat(run.status()).as(run.body()).isEqualTo(201);
      assertThat(run.text("worker")).isEqualTo("jarvis-worker-" + number);
    }
  }

  /** Seen to fail when only workers with a full name are listed. */
  @Test
  void the_list_of_workers_has_patterns_with_the_runs_of_all_their_workers() {
    for (String number : List.of("1", "2")) {
      String body = Dispatches.of("ping-" + number, "Wait:\\n$ sleep 600");
      fixture.socket().post("/api/v1/dispatch?worker=jarvis-worker-" + number, body);
    }
    await()
        .untilAsserted(() -> {
          var workers = fixture.socket().get("/api/v1/workers").json().path("workers");
          assertThat(workers.valueStream())
              .filteredOn(worker -> worker.path("name").asString().equals("jarvis-worker-*"))
              .singleElement()
              .satisfies(worker -> assertThat(worker.path("running").asInt(0)).isEqualTo(2));
        });
  }

  /** Seen to fail when an undeclared name is not compared with the declared ones. */
  @Test
  void a_mistyped_worker_is_refused_with_the_name_that_was_meant_and_another_name_is_not() {
    String request = "{\"prompt\":\"hello\",\"worker\":\"%s\"}";
    RawClient.Reply refused = fixture.socket().post("/api/v1/runs", request.formatted("breif"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("detail"))
        .isEqualTo(
            "no worker breif is declared; did you mean brief? To use this name, declare it in"
                + " midcourse.toml");
    assertThat(fixture.socket().get("/api/v1/runs").json().path("runs").size()).isZero();
    assertThat(fixture.socket().post("/api/v1/runs", request.formatted("painter")).status())
        .isEqualTo(201);
  }

  /** Seen to fail when a route does not ask Authority. */
  @ParameterizedTest
  @CsvSource({
    "andy-bot, jarvis-worker-1, observer andy-bot may not start a run of jarvis-worker-1",
    "family, jarvis-worker-1, member family may not start a run of jarvis-worker-1",
    "andy-developer, elsewhere, lead andy-developer may not start a run of elsewhere"
  })
  void t27_a_caller_without_the_right_is_refused_and_the_log_names_caller_action_and_reason(
      String group, String worker, String why) {
    RawClient.Reply refused = dispatch(group, worker, "ping-9");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("detail")).isEqualTo(why);
    var denied = fixture.hub().engine().ledger().log().after(0, denied(), 10).entries();
    assertThat(denied)
        .anyMatch(entry -> entry.json().contains(why) && entry.json().contains(group));
  }

  /** Seen to fail when the hub does not report that a patch is incomplete. */
  @Test
  void a_patch_says_whether_it_is_whole() throws Exception {
    Path clone = Files.createDirectories(data.resolve("repos/acme/shop"));
    git(clone, "init", "--quiet");
    git(clone, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-qm", "a");
    String body =
        Dispatches.of("code-1", "Wait:\\n$ sleep 60").replace("\"test\"", "\"implement\"");
    RawClient.Reply run = fixture.socket().post("/api/v1/dispatch?worker=jarvis-worker-1", body);
    Path work = Path.of(run.text("dir"));
    Files.writeString(work.resolve("new"), "three\n");
    RawClient.Reply whole = fixture.socket().get("/api/v1/runs/code-1/diff");
    assertThat(whole.body()).contains("+three");
    assertThat(whole.headers()).containsEntry("midcourse-patch", "whole");
    git(Files.createDirectory(work.resolve("nested")), "init", "--quiet");
    RawClient.Reply partial = fixture.socket().get("/api/v1/runs/code-1/diff");
    assertThat(partial.body()).contains("+three", "this patch is not whole");
    assertThat(partial.headers()).containsEntry("midcourse-patch", "partial");
  }

  private static void git(Path at, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git = new ProcessBuilder(command).directory(at.toFile()).inheritIO().start();
    assertThat(git.waitFor()).as("%s", command).isZero();
  }

  /** Seen to fail when a refusal that concerns no run is not logged. */
  @Test
  void a_denied_read_or_start_is_logged_too() {
    RawClient person = fixture.socket();
    assertThat(person.get("/api/v1/runs?as=family").status()).isEqualTo(403);
    String request = "{\"prompt\":\"hello\",\"worker\":\"jarvis-worker-1\"}";
    assertThat(person.post("/api/v1/runs?as=andy-bot", request).status()).isEqualTo(403);
    assertThat(fixture.hub().engine().ledger().log().after(0, denied(), 10).entries())
        .extracting(entry -> entry.json())
        .anyMatch(json -> json.contains("member family may not see other runs"))
        .anyMatch(
            json -> json.contains("observer andy-bot may not start a run of jarvis-worker-1"));
  }

  /**
   * Seen to fail when the start of a run checks the permission to dispatch, and when a restart
   * checks no permission.
   */
  @Test
  void a_lead_starts_a_declared_worker_with_a_dispatch_only_and_an_attempt_is_written_down() {
    RawClient person = fixture.socket();
    String request = "{\"prompt\":\"%s\",\"worker\":\"jarvis-worker-1\",\"run_id\":\"plain\"}";
    RawClient.Reply refused =
        person.post("/api/v1/runs?as=andy-developer", request.formatted("do what I say"));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("rule")).isEqualTo("a dispatch, for a worker that is declared");
    String why = "lead andy-developer may not start a run of jarvis-worker-1 without a dispatch";
    assertThat(fixture.hub().engine().ledger().log().after(0, denied(), 10).entries())
        .anyMatch(entry -> entry.json().contains(why));
    assertThat(person.post("/api/v1/runs", request.formatted("$ sleep 600")).status())
        .isEqualTo(201);
    person.post("/api/v1/runs/plain/stop", "{\"wait\":true}");
    String other = "{\"prompt\":\"do what I say\"}";
    assertThat(person.post("/api/v1/runs/plain/restart?as=andy-developer", other).status())
        .isEqualTo(403);
    assertThat(person.get("/api/v1/runs/plain").text("prompt")).isEqualTo("$ sleep 600");
  }

  @Test
  void a_run_that_takes_longer_than_its_worker_may_ends_and_says_whose_limit_it_was() {
    String body = ping("ping-1").replace("Say hello.", "Wait:\\n$ sleep 600");
    assertThat(fixture.socket().post("/api/v1/dispatch?worker=brief", body).status())
        .isEqualTo(201);
    assertThat(fixture.end("ping-1")).isEqualTo("failed_timeout");
    assertThat(fixture.socket().get("/api/v1/runs/ping-1").text("result"))
        .contains("limit of worker brief");
    assertThat(fixture.socket().post("/api/v1/dispatch?worker=brief", body).status())
        .as("a run that took too long may be tried again")
        .isEqualTo(201);
    fixture.end("ping-1");
  }

  /** Seen to fail when a prune does not delete checkouts or progress files of runs. */
  @Test
  void a_run_that_is_forgotten_leaves_no_checkout_and_no_progress_and_no_link_is_followed()
      throws Exception {
    Path clone = Files.createDirectories(data.resolve("repos/acme/shop"));
    assertThat(
            new ProcessBuilder(
                    "sh",
                    "-c",
                    "git init -q && git -c user.name=W -c user.email=w@example.org commit -q"
                        + " --allow-empty -m first")
                .directory(clone.toFile())
                .start()
                .waitFor())
        .isZero();
    Path outside = Files.writeString(data.resolve("precious"), "x");
    for (String run : new String[] {"work-1", "work-2"}) {
      String body = ping(run).replace("jarvis-x", "jarvis-" + run);
      String task = run.equals("work-1") ? body : body.replace("Say hello.", "Wait:\\n$ sleep 600");
      RawClient.Reply taken =
          fixture.socket().post("/api/v1/dispatch?worker=jarvis-worker-1", task);
      assertThat(taken.status()).as(taken.body()).isEqualTo(201);
      Path said = Files.createDirectories(data.resolve("ipc/jarvis-worker-1/progress/" + run));
      Files.createSymbolicLink(said.resolve("1.json"), outside);
    }
    fixture.end("work-1");
    await().until(() -> pruned() == 1);
    assertThat(data.resolve("worktrees/work-1")).doesNotExist();
    assertThat(data.resolve("worktrees/work-2")).isDirectory();
    assertThat(data.resolve("ipc/jarvis-worker-1/progress/work-1")).doesNotExist();
    assertThat(data.resolve("ipc/jarvis-worker-1/progress/work-2/1.json")).exists();
    assertThat(outside).hasContent("x");
  }

  private int pruned() {
    RawClient.Reply reply = fixture.socket().post("/api/v1/prune", "{\"older_than\":\"0s\"}");
    return reply.json().path("pruned").asInt(-1);
  }

  @Test
  void an_undeclared_worker_takes_no_run() {
    RawClient.Reply refused =
        fixture.socket().post("/api/v1/dispatch?worker=stray", ping("ping-1"));
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.text("rule")).contains("jarvis-worker-*");
  }

  @Test
  void all_that_is_wrong_with_a_dispatch_is_said_at_once() {
    RawClient.Reply refused =
        fixture
            .socket()
            .post("/api/v1/dispatch?worker=jarvis-worker-1", "{\"run_id\": \"../x\", \"repo\": 7}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().path("errors").valueStream().map(e -> e.path("field").asString()))
        .contains("run_id", "repo", "branch", "output_contract");
    RawClient.Reply check =
        fixture.socket().post("/api/v1/contract/check", "{\"run_id\": \"../x\"}");
    assertThat(check.json().path("sound").asBoolean()).isFalse();
    assertThat(fixture.socket().post("/api/v1/contract/check", "run it, {}").status())
        .isEqualTo(422);
  }

  @Test
  void the_published_schema_says_of_a_dispatch_what_the_hub_says() {
    String schema = fixture.socket().get("/api/v1/contract/schema").body();
    var registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    var published = registry.getSchema(schema, InputFormat.JSON);
    assertThat(published.validate(ping("run-1"), InputFormat.JSON)).isEmpty();
    for (String wrong :
        new String[] {
          "{}",
          "[]",
          ping("a b"),
          ping("../x"),
          ping("run-1").replace("jarvis-x", "main"),
          ping("run-1").replace("\"risk\", ", ""),
          ping("run-1").replace("\"fresh\"", "\"fresh\", \"session_id\": \"s\""),
          ping("run-1").replace("\"fresh\"", "\"continue\""),
          ping("run-1").replace("[\"it answers\"]", "[]"),
        }) {
      assertThat(published.validate(wrong, InputFormat.JSON)).as(wrong).isNotEmpty();
      assertThat(
              fixture
                  .socket()
                  .post("/api/v1/contract/check", wrong)
                  .json()
                  .path("sound")
                  .asBoolean())
          .as(wrong)
          .isFalse();
    }
  }

  @Test
  void only_main_acts_for_others_and_only_for_existing_groups() {
    assertThat(fixture.socket().get("/api/v1/groups?as=nobody").status()).isEqualTo(404);
    assertThat(fixture.socket().get("/api/v1/groups?as=family").status()).isEqualTo(403);
    assertThat(fixture.socket().get("/api/v1/groups").json().path("groups").size()).isEqualTo(4);
  }

  private RawClient.Reply dispatch(String group, String worker, String run) {
    return fixture.socket().post("/api/v1/dispatch?worker=" + worker + "&as=" + group, ping(run));
  }

  private static dev.midcourse.ledger.Log.Filter denied() {
    return new dev.midcourse.ledger.Log.Filter(
        java.util.Optional.empty(), java.util.Set.of("denied"));
  }

  private static String ping(String run) {
    return Dispatches.of(run, "Say hello.");
  }
}
