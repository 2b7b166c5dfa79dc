package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.hub.RawClient.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RunRoutesTest {
  private static final String RUNS = "/api/v1/runs";

  @TempDir Path data;
  private HubFixture fixture;
  private RawClient person;

  @BeforeEach
  void open() {
    fixture = HubFixture.open(data);
    person = fixture.socket();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void a_run_is_queued_works_and_is_done() {
    Reply created = person.post(RUNS, "{\"prompt\":\"$ echo hi\"}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.text("state")).isEqualTo("queued");
    assertThat(created.text("agent")).isEqualTo("rehearsal");
    assertThat(created.text("note")).contains("rehearsal agent");
    assertThat(created.text("dir")).endsWith("/work");
    Reply done = person.get(RUNS + "/" + created.text("run_id") + "?wait=end&timeout=30s");
    assertThat(done.text("state")).isEqualTo("done");
    assertThat(done.text("result")).contains("done: 1 step");
  }

  @Test
  void a_run_may_have_a_name_a_worker_and_a_folder_of_its_own() throws Exception {
    Path work = Files.createDirectory(data.resolve("elsewhere"));
    Reply created =
        person.post(
            RUNS,
            "{\"prompt\":\"$ echo hi\",\"run_id\":\"mine\",\"worker\":\"jarvis-worker-1\","
                + "\"agent\":\"rehearsal\",\"pending\":\"latest\",\"attempts\":2,\"dir\":\""
                + work
                + "\"}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.text("run_id")).isEqualTo("mine");
    assertThat(created.text("worker")).isEqualTo("jarvis-worker-1");
    assertThat(created.text("dir")).isEqualTo(work.toString());
    assertThat(created.json().has("note")).isFalse();
  }

  @Test
  void a_run_with_a_linger_waits_for_the_next_message_in_the_same_process() {
    String run =
        RUNS
            + "/"
            + person.post(RUNS, "{\"prompt\":\"$ echo hi\",\"linger\":\"10m\"}").text("run_id");
    await().until(() -> person.get(run).json().has("idle_until"));
    Reply idle = person.get(run);
    assertThat(idle.text("state")).isEqualTo("running");
    assertThat(idle.text("linger")).isEqualTo("PT10M");
    String steer = person.post(run + "/steers", "{\"text\":\"and now this\"}").text("steer_id");
    Reply receipt = person.get("/api/v1/steers/" + steer + "?wait=answered&timeout=1m");
    assertThat(receipt.text("rung")).isEqualTo("answered");
    await().until(() -> person.get(run).json().has("idle_until"));
    Reply waiting = person.get(run);
    assertThat(waiting.json().path("turn").asInt()).isEqualTo(2);
    assertThat(waiting.json().path("attempt").asInt()).isEqualTo(1);

    Reply stopped = person.post(run + "/stop", "{\"wait\":true}");
    assertThat(stopped.text("state")).isEqualTo("stopped");
    assertThat(stopped.json().has("idle_until")).isFalse();
  }

  @Test
  void the_author_is_main_and_the_origin_is_named() {
    assertThat(origin(person)).isEqualTo("socket");
    assertThat(origin(fixture.tcp())).isEqualTo("http");
    assertThat(origin(person.with("Midcourse-Origin", "page"))).isEqualTo("page");
    assertThat(origin(person.with("User-Agent", "midcourse-cli"))).isEqualTo("cli");
    Reply bad = person.with("Midcourse-Origin", "No Door").post(RUNS, "{\"prompt\":\"x\"}");
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.text("field")).isEqualTo("origin");
  }

  private static String origin(RawClient client) {
    JsonNode author = client.post(RUNS, "{\"prompt\":\"$ echo hi\"}").json().path("author");
    assertThat(author.path("group").asString("")).isEqualTo("main");
    return author.path("origin").asString("");
  }

  @Test
  void a_wrong_request_is_refused_by_field_and_starts_nothing() {
    refused("{}", "prompt");
    refused("{\"prompt\":\"  \"}", "prompt");
    refused("{\"prompt\":7}", "prompt");
    refused("{\"prompt\":\"x\",\"agent\":\"nobody\"}", "agent");
    refused("{\"prompt\":\"x\",\"run_id\":\"../x\"}", "run_id");
    refused("{\"prompt\":\"x\",\"worker\":\"a b\"}", "worker");
    refused("{\"prompt\":\"x\",\"dir\":\"relative\"}", "dir");
    refused("{\"prompt\":\"x\",\"dir\":\"/no/such/folder\"}", "dir");
    refused("{\"prompt\":\"x\",\"pending\":\"some\"}", "pending");
    refused("{\"prompt\":\"x\",\"attempts\":0}", "attempts");
    refused("{\"prompt\":\"x\",\"attempts\":\"3\"}", "attempts");
    refused("{\"prompt\":\"x\",\"linger\":\"0s\"}", "linger");
    refused("{\"prompt\":\"x\",\"linger\":\"25h\"}", "linger");
    refused("{\"prompt\":\"x\",\"linger\":\"soon\"}", "linger");
    refused("{\"prompt\":\"x\",\"colour\":\"red\"}", "colour");
    refused("{\"prompt\":\"x\",\"prompt\":\"y\"}", "body");
    refused("[1]", "body");
    refused("{\"prompt\":", "body");
    assertThat(person.get(RUNS).json().path("runs")).isEmpty();
  }

  private void refused(String body, String field) {
    Reply reply = person.post(RUNS, body);
    assertThat(reply.status()).as(body + " -> " + reply.body()).isEqualTo(422);
    assertThat(reply.headers()).containsEntry("content-type", "application/problem+json");
    assertThat(reply.text("code")).isEqualTo("invalid");
    assertThat(reply.text("field")).as(reply.body()).isEqualTo(field);
    assertThat(reply.text("rule")).as(reply.body()).isNotEmpty();
  }

  @Test
  void a_taken_name_is_a_conflict() {
    person.post(RUNS, "{\"prompt\":\"$ sleep 600\",\"run_id\":\"taken\"}");
    Reply again = person.post(RUNS, "{\"prompt\":\"x\",\"run_id\":\"taken\"}");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text("code")).isEqualTo("duplicate");
  }

  @Test
  void runs_are_listed_newest_first_in_pages_and_by_state_and_worker() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String id = "run-" + i;
      person.post(
          RUNS, "{\"prompt\":\"$ echo hi\",\"run_id\":\"" + id + "\",\"worker\":\"w-" + i + "\"}");
      made.addFirst(id);
      assertThat(fixture.end(id)).isEqualTo("done");
    }
    Reply first = person.get(RUNS + "?limit=2");
    Reply second = person.get(RUNS + "?limit=2&older_than=" + first.text("next"));
    Reply third = person.get(RUNS + "?limit=2&older_than=" + second.text("next"));
    List<String> read = new ArrayList<>();
    List.of(first, second, third).forEach(page -> read.addAll(ids(page)));
    assertThat(read).isEqualTo(made);
    assertThat(third.json().has("next")).isFalse();
    assertThat(ids(person.get(RUNS + "?worker=w-3"))).containsExactly("run-3");
    assertThat(ids(person.get(RUNS + "?state=done,failed"))).hasSize(5);
    assertThat(ids(person.get(RUNS + "?state=stopped"))).isEmpty();
  }

  private static List<String> ids(Reply page) {
    return page.json().path("runs").valueStream().map(r -> r.path("run_id").asString("")).toList();
  }

  @Test
  void a_wrong_query_names_the_parameter() {
    wrongQuery("?state=asleep", "state");
    wrongQuery("?limit=0", "limit");
    wrongQuery("?limit=501", "limit");
    wrongQuery("?limit=many", "limit");
    wrongQuery("?older_than=nobody", "older_than");
    wrongQuery("?colour=red", "colour");
    wrongQuery("?limit=1&limit=2", "limit");
  }

  private void wrongQuery(String query, String field) {
    Reply reply = person.get(RUNS + query);
    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    assertThat(reply.text("field")).isEqualTo(field);
  }

  @Test
  void a_run_is_found_by_the_beginning_of_its_id_if_only_one_begins_so() {
    for (String id : List.of("apple", "apricot", "banana")) {
      person.post(RUNS, "{\"prompt\":\"$ echo hi\",\"run_id\":\"" + id + "\"}");
    }
    assertThat(person.get(RUNS + "/b").text("run_id")).isEqualTo("banana");
    assertThat(person.get(RUNS + "/apr").text("run_id")).isEqualTo("apricot");
    Reply several = person.get(RUNS + "/ap");
    assertThat(several.status()).isEqualTo(422);
    assertThat(several.text("detail")).contains("apple").contains("apricot");
    Reply none = person.get(RUNS + "/cherry");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.text("code")).isEqualTo("not_found");
  }

  @Test
  void a_whole_id_wins_over_longer_ones_that_begin_with_it() {
    person.post(RUNS, "{\"prompt\":\"$ echo hi\",\"run_id\":\"fix\"}");
    person.post(RUNS, "{\"prompt\":\"$ echo hi\",\"run_id\":\"fix-more\"}");
    assertThat(person.get(RUNS + "/fix").text("run_id")).isEqualTo("fix");
  }

  @Test
  void a_dash_is_the_only_live_run() {
    assertThat(person.get(RUNS + "/-").status()).isEqualTo(404);
    String one = fixture.busyRun();
    assertThat(person.get(RUNS + "/-").text("run_id")).isEqualTo(one);
    fixture.busyRun();
    Reply two = person.get(RUNS + "/-");
    assertThat(two.status()).isEqualTo(422);
    assertThat(two.text("detail")).contains(one);
  }

  @Test
  void an_id_is_never_a_path() {
    for (String id : List.of("..", "%2e%2e", "a%2fb", "a%00b", ".hidden", "a..b")) {
      assertThat(person.get(RUNS + "/" + id).status()).as(id).isIn(400, 404, 422);
      assertThat(person.get(RUNS + "/" + id + "/log").status()).as(id).isIn(400, 404, 422);
    }
  }

  /** Seen to fail when the response does not wait for the end of the run. */
  @Test
  void t30_a_stopped_run_is_stopped_when_the_answer_says_so() {
    String run = fixture.busyRun();
    Reply stopped = person.post(RUNS + "/" + run + "/stop", "{\"wait\":true}");
    assertThat(stopped.status()).isEqualTo(200);
    assertThat(stopped.text("state")).isEqualTo("stopped");
    Reply again = person.post(RUNS + "/" + run + "/stop", "");
    assertThat(again.status()).isEqualTo(410);
    assertThat(again.text("code")).isEqualTo("run_ended");
  }

  @Test
  void a_stop_that_does_not_wait_says_that_it_is_on_its_way() {
    String run = fixture.busyRun();
    assertThat(person.post(RUNS + "/" + run + "/stop", "").status()).isEqualTo(202);
    assertThat(fixture.end(run)).isEqualTo("stopped");
  }

  @Test
  void a_run_that_was_stopped_runs_again_with_another_prompt() {
    String run = fixture.busyRun();
    Reply live = person.post(RUNS + "/" + run + "/restart", "");
    assertThat(live.status()).isEqualTo(409);
    person.post(RUNS + "/" + run + "/stop", "{\"wait\":true}");
    Reply again =
        person.post(RUNS + "/" + run + "/restart", "{\"prompt\":\"$ echo x\",\"fresh\":true}");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.text("prompt")).isEqualTo("$ echo x");
    assertThat(fixture.end(run)).isEqualTo("done");
  }

  @Test
  void only_what_waits_for_review_can_be_reviewed() {
    String run = fixture.run("$ echo hi");
    fixture.end(run);
    for (String verdict : List.of("accept", "rework")) {
      Reply reply =
          person.post(
              RUNS + "/" + run + "/review", "{\"verdict\":\"" + verdict + "\",\"text\":\"x\"}");
      assertThat(reply.status()).isEqualTo(422);
    }
    Reply wrong = person.post(RUNS + "/" + run + "/review", "{\"verdict\":\"maybe\"}");
    assertThat(wrong.text("field")).isEqualTo("verdict");
  }

  @Test
  void turns_and_attempts_are_reported_without_the_mark_of_the_processes() {
    String run = fixture.run("$ echo hi");
    fixture.end(run);
    JsonNode turns = person.get(RUNS + "/" + run + "/turns").json().path("turns");
    assertThat(turns).hasSize(1);
    assertThat(turns.path(0).path("message").asString("")).contains("$ echo hi");
    assertThat(turns.path(0).path("how").asString("")).isEqualTo("completed");
    Reply attempts = person.get(RUNS + "/" + run + "/attempts");
    JsonNode attempt = attempts.json().path("attempts").path(0);
    assertThat(attempt.path("attempt").asInt(0)).isEqualTo(1);
    assertThat(attempt.path("capabilities").path("mid_turn_steer").asBoolean(false)).isTrue();
    String mark =
        fixture
            .hub()
            .engine()
            .ledger()
            .read(r -> r.attempts(dev.midcourse.core.id.RunId.of(run)))
            .getFirst()
            .mark();
    assertThat(attempts.body()).doesNotContain(mark);
  }

  @Test
  void a_log_that_is_not_there_is_not_found_and_a_link_is_not_followed() throws Exception {
    String run = fixture.run("$ echo hi");
    Reply none = person.get(RUNS + "/" + run + "/log");
    assertThat(none.status()).isEqualTo(404);
    Path folder = Files.createDirectories(data.resolve("runs").resolve(run).resolve("attempt-1"));
    Files.writeString(folder.resolve("err"), "warning: é\n");
    Reply err = person.get(RUNS + "/" + run + "/log?stream=err");
    assertThat(err.body()).isEqualTo("warning: é\n");
    assertThat(err.headers()).containsEntry("content-type", "text/plain; charset=utf-8");
    Files.createSymbolicLink(folder.resolve("out"), data.resolve("token"));
    assertThat(person.get(RUNS + "/" + run + "/log?stream=out").status()).isEqualTo(404);
    assertThat(person.get(RUNS + "/" + run + "/log?stream=both").text("field")).isEqualTo("stream");
  }

  /**
   * Seen to fail when the response contains the complete log, and when it does not state its size.
   */
  @Test
  void the_end_of_a_log_is_had_without_the_rest() throws Exception {
    String run = fixture.run("$ echo hi");
    Path folder = Files.createDirectories(data.resolve("runs").resolve(run).resolve("attempt-1"));
    Files.writeString(folder.resolve("err"), "one\ntwo\nthree\n");
    String log = RUNS + "/" + run + "/log?stream=err&tail=";
    Reply end = person.get(log + "6");
    assertThat(end.body()).isEqualTo("three\n");
    assertThat(end.headers())
        .containsEntry("content-length", "6")
        .containsEntry("midcourse-size", "14");
    assertThat(person.get(log + "0").body()).isEmpty();
    assertThat(person.get(log + "900").body()).isEqualTo("one\ntwo\nthree\n");
    assertThat(person.get(log + "-1").text("field")).isEqualTo("tail");
    assertThat(person.get(log + "all").text("field")).isEqualTo("tail");
  }

  @Test
  void a_wait_that_is_over_before_the_run_tells_how_it_stands() {
    String run = fixture.busyRun();
    Reply reply = person.get(RUNS + "/" + run + "?wait=end&timeout=50ms");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text("state")).isEqualTo("running");
    assertThat(person.get(RUNS + "/" + run + "?wait=lunch").text("field")).isEqualTo("wait");
    assertThat(person.get(RUNS + "/" + run + "?wait=end&timeout=11m").text("field"))
        .isEqualTo("timeout");
    assertThat(person.get(RUNS + "/" + run + "?wait=end&timeout=soon").text("field"))
        .isEqualTo("timeout");
  }
}
