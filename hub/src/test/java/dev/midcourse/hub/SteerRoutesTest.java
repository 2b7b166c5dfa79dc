package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.RawClient.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SteerRoutesTest {
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

  private Reply steer(String run, String body) {
    return person.post("/api/v1/runs/" + run + "/steers", body);
  }

  private Reply at(String steer, String rung) {
    return person.get("/api/v1/steers/" + steer + "?wait=" + rung + "&timeout=30s");
  }

  @Test
  void a_steer_is_answered_with_its_receipt_and_climbs_to_the_agent() {
    String run = fixture.busyRun();
    Reply stored = steer(run, "{\"text\":\"look left\"}");
    assertThat(stored.status()).isEqualTo(201);
    assertThat(stored.text("mode")).isEqualTo("steer");
    assertThat(stored.text("text")).isEqualTo("look left");
    assertThat(stored.json().path("rungs").path(0).path("rung").asString("")).isEqualTo("stored");
    Reply accepted = at(stored.text("steer_id"), "accepted");
    assertThat(accepted.text("rung")).isEqualTo("accepted");
  }

  @Test
  void the_answer_can_be_held_until_the_steer_is_in_the_conversation() {
    String run = fixture.run("$ sleep 1\n$ sleep 1\n$ sleep 600");
    Reply injected =
        person.post(
            "/api/v1/runs/" + run + "/steers?wait=injected&timeout=30s", "{\"text\":\"hear\"}");
    assertThat(injected.status()).isEqualTo(201);
    assertThat(injected.text("rung")).isEqualTo("injected");
    assertThat(injected.json().path("rungs")).hasSizeGreaterThanOrEqualTo(4);
  }

  /** Seen to fail when a wait that times out is answered with an error. */
  @Test
  void t15_a_wait_that_is_over_first_tells_how_far_it_got() {
    String run = fixture.busyRun();
    Reply held =
        person.post(
            "/api/v1/runs/" + run + "/steers?wait=answered&timeout=100ms", "{\"text\":\"x\"}");
    assertThat(held.status()).isEqualTo(201);
    assertThat(held.text("rung")).isIn("stored", "offered", "accepted");
  }

  @Test
  void the_same_key_with_the_same_content_is_the_same_steer() {
    String run = fixture.busyRun();
    Reply first = steer(run, "{\"text\":\"once\",\"key\":\"k1\"}");
    Reply again = steer(run, "{\"text\":\"once\",\"key\":\"k1\"}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text("steer_id")).isEqualTo(first.text("steer_id"));
    Reply other = steer(run, "{\"text\":\"twice\",\"key\":\"k1\"}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text("code")).isEqualTo("key_conflict");
    assertThat(person.get("/api/v1/runs/" + run + "/steers").json().path("steers")).hasSize(1);
  }

  /** Seen to fail when the route ignores expected_turn. */
  @Test
  void t05_another_turn_than_expected_is_a_conflict() {
    String run = fixture.busyRun();
    Reply wrong = steer(run, "{\"text\":\"x\",\"expected_turn\":7}");
    assertThat(wrong.status()).isEqualTo(409);
    assertThat(wrong.text("code")).isEqualTo("wrong_turn");
    assertThat(steer(run, "{\"text\":\"x\",\"expected_turn\":1}").status()).isEqualTo(201);
  }

  @Test
  void a_run_that_has_ended_is_gone_and_one_that_never_was_is_not_found() {
    String run = fixture.run("$ echo hi");
    fixture.end(run);
    Reply ended = steer(run, "{\"text\":\"x\"}");
    assertThat(ended.status()).isEqualTo(410);
    assertThat(ended.text("code")).isEqualTo("run_ended");
    assertThat(ended.text("detail")).isNotEmpty();
    assertThat(steer("nobody", "{\"text\":\"x\"}").status()).isEqualTo(404);
    assertThat(person.get("/api/v1/steers/00000000").status()).isEqualTo(404);
    assertThat(person.get("/api/v1/steers/zz").text("field")).isEqualTo("steer_id");
  }

  @Test
  void a_text_over_its_limit_is_too_large() {
    String run = fixture.busyRun();
    Reply large = steer(run, "{\"text\":\"" + "x".repeat(64 * 1024 + 1) + "\"}");
    assertThat(large.status()).isEqualTo(413);
    assertThat(large.text("code")).isEqualTo("too_large");
    assertThat(large.text("field")).isEqualTo("text");
  }

  @Test
  void a_wrong_steer_names_its_field_and_is_not_stored() {
    String run = fixture.busyRun();
    wrong(run, "{}", "text");
    wrong(run, "{\"text\":\" \"}", "text");
    wrong(run, "{\"text\":\"a\\u0000b\"}", "text");
    wrong(run, "{\"text\":\"x\",\"mode\":\"shout\"}", "mode");
    wrong(run, "{\"text\":\"x\",\"ttl\":\"soon\"}", "ttl");
    wrong(run, "{\"text\":\"x\",\"ttl\":\"31d\"}", "ttl");
    wrong(run, "{\"text\":\"x\",\"key\":\"a b\"}", "key");
    wrong(run, "{\"text\":\"x\",\"expected_turn\":\"1\"}", "expected_turn");
    wrong(run, "{\"text\":\"x\",\"on_unsupported\":\"cry\"}", "on_unsupported");
    wrong(run, "{\"text\":\"x\",\"supersedes\":\"!\"}", "supersedes");
    assertThat(person.get("/api/v1/runs/" + run + "/steers").json().path("steers")).isEmpty();
  }

  private void wrong(String run, String body, String field) {
    Reply reply = steer(run, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    assertThat(reply.text("field")).as(reply.body()).isEqualTo(field);
  }

  /** Seen to fail when the timeout is checked after the steer is stored. */
  @Test
  void a_wait_that_is_too_long_is_refused_before_anything_is_stored() {
    String run = fixture.busyRun();
    String steers = "/api/v1/runs/" + run + "/steers";
    Reply refused = person.post(steers + "?wait=injected&timeout=11m", "{\"text\":\"x\"}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("field")).isEqualTo("timeout");
    assertThat(fixture.steers(run)).isEmpty();
    assertThat(person.get("/api/v1/runs/" + run + "?wait=end&timeout=11m").text("field"))
        .isEqualTo("timeout");
  }

  @Test
  void a_steer_is_found_by_the_beginning_of_its_id() {
    String run = fixture.busyRun();
    String id = steer(run, "{\"text\":\"x\"}").text("steer_id");
    assertThat(person.get("/api/v1/steers/" + id.substring(0, 8)).text("steer_id")).isEqualTo(id);
  }

  @Test
  void a_follow_up_that_waits_can_be_edited_promoted_and_withdrawn() {
    String run = fixture.busyRun();
    String id = steer(run, "{\"text\":\"later\",\"mode\":\"follow_up\"}").text("steer_id");
    Reply edited = person.ask("PATCH", "/api/v1/steers/" + id, "{\"text\":\"much later\"}");
    assertThat(edited.status()).isEqualTo(200);
    assertThat(edited.text("text")).isEqualTo("much later");
    assertThat(edited.json().path("edits").asInt(0)).isEqualTo(1);
    Reply promoted = person.post("/api/v1/steers/" + id + "/promote", "");
    assertThat(promoted.text("mode")).isEqualTo("steer");
    assertThat(at(id, "accepted").text("rung")).isEqualTo("accepted");
    Reply withdrawn = person.post("/api/v1/steers/" + id + "/withdraw", "{\"reason\":\"no\"}");
    assertThat(withdrawn.status()).isEqualTo(200);
    assertThat(withdrawn.text("ended")).isEqualTo("withdrawn");
    Reply again = person.post("/api/v1/steers/" + id + "/withdraw", "");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text("code")).isEqualTo("too_late");
  }

  @Test
  void a_newer_steer_replaces_the_one_it_names() {
    String run = fixture.busyRun();
    String old = steer(run, "{\"text\":\"a\",\"mode\":\"follow_up\"}").text("steer_id");
    Reply newer =
        steer(
            run,
            "{\"text\":\"b\",\"mode\":\"follow_up\",\"supersedes\":\""
                + old.substring(0, 8)
                + "\"}");
    assertThat(newer.status()).isEqualTo(201);
    assertThat(newer.text("supersedes")).isEqualTo(old);
    assertThat(at(old, "answered").text("ended")).isEqualTo("superseded");
  }

  @Test
  void a_steer_whose_time_is_over_expires() {
    String run = fixture.busyRun();
    String id =
        steer(run, "{\"text\":\"a\",\"mode\":\"follow_up\",\"ttl\":\"50ms\"}").text("steer_id");
    assertThat(at(id, "answered").text("ended")).isEqualTo("expired");
  }

  @Test
  void a_stop_is_a_steer_too() {
    String run = fixture.busyRun();
    assertThat(steer(run, "{\"text\":\"enough\",\"mode\":\"stop\"}").status()).isEqualTo(201);
    assertThat(fixture.end(run)).isEqualTo("stopped");
  }

  @Test
  void a_question_of_an_agent_is_listed_and_answered_by_a_person() {
    String run = fixture.run("? push to main\n$ echo pushed");
    String asks = "/api/v1/runs/" + run + "/asks";
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> person.get(asks).json().path("asks").size() == 1);
    JsonNode ask = person.get(asks).json().path("asks").path(0);
    assertThat(ask.path("question").asString("")).contains("push to main");
    assertThat(ask.has("answer")).isFalse();
    String id = ask.path("ask").asString("");
    assertThat(person.post(asks + "/" + id, "{\"answer\":\" \"}").text("field"))
        .isEqualTo("answer");
    for (String typed : List.of("alow", "maybe", "yes but later", "no problem")) {
      Reply refused = person.post(asks + "/" + id, "{\"answer\":\"" + typed + "\"}");
      assertThat(refused.status()).as(typed).isEqualTo(422);
      assertThat(refused.text("rule")).contains("allow (yes, y, ok) or deny (no, n)");
    }
    assertThat(person.get(asks).json().path("asks").path(0).has("closed_at")).isFalse();
    assertThat(person.post(asks + "/nothing", "{\"answer\":\"allow\"}").status()).isEqualTo(404);
    Reply answered = person.post(asks + "/" + id, "{\"answer\":\"deny\",\"why\":\"not today\"}");
    assertThat(answered.status()).isEqualTo(200);
    assertThat(answered.text("answer")).isEqualTo("deny: not today");
    assertThat(fixture.end(run)).isEqualTo("done");
    assertThat(person.post(asks + "/" + id, "{\"answer\":\"allow\"}").status()).isEqualTo(404);
  }

  /** Seen to fail when every word but allow denies. */
  @Test
  void yes_gives_a_permission() {
    String run = fixture.run("? push to main\n$ echo pushed >pushed");
    String asks = "/api/v1/runs/" + run + "/asks";
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> person.get(asks).json().path("asks").size() == 1);
    String id = person.get(asks).json().path("asks").path(0).path("ask").asString("");
    assertThat(person.post(asks + "/" + id, "{\"answer\":\" Yes \"}").text("answer"))
        .isEqualTo("allow");
    assertThat(fixture.end(run)).isEqualTo("done");
  }

  /** Seen to fail when the route uses a steer as the answer to a question of its run. */
  @Test
  void t12_the_text_of_a_steer_never_answers_what_an_agent_asks() {
    String run = fixture.run("? push to main\n$ echo pushed");
    String asks = "/api/v1/runs/" + run + "/asks";
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> person.get(asks).json().path("asks").size() == 1);
    for (String text : List.of("allow", "yes, allow")) {
      Reply taken =
          person.post(
              "/api/v1/runs/" + run + "/steers?wait=accepted&timeout=30s",
              "{\"text\":\"" + text + "\"}");
      assertThat(taken.text("rung")).isNotIn("stored", "offered");
    }
    assertThat(person.get(asks).json().path("asks").path(0).has("answer")).isFalse();
  }
}
