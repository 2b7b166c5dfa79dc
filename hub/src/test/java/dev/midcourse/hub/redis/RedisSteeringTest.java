package dev.midcourse.hub.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.id.RunId;
import dev.midcourse.hub.HubFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Steers from lists in Redis, with a real server and a real hub. */
@SuppressWarnings("NullAway.Init")
class RedisSteeringTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temp;

  private TestRedis redis;
  private HubFixture hub;

  @BeforeEach
  void start() throws IOException {
    redis = TestRedis.in(temp.resolve("redis"));
    hub = open("");
  }

  private HubFixture open(String more) throws IOException {
    Path data = Files.createDirectories(temp.resolve("data"));
    Files.writeString(
        data.resolve("midcourse.toml"), TestRedis.settings(redis.port()) + more + "\n");
    return HubFixture.asTheFileSays(data);
  }

  @AfterEach
  void end() throws IOException {
    hub.close();
    redis.close();
  }

  private List<String> texts(String run) {
    return hub.steers(run).stream().map(steer -> steer.path("text").asString("")).toList();
  }

  private JsonNode steer(String run) {
    await("a steer of " + run).atMost(LONG).until(() -> !hub.steers(run).isEmpty());
    return hub.steers(run).getFirst();
  }

  private Map<String, String> awaitRecord(String session, String field, String value) {
    await(field + " " + value).atMost(LONG).until(() -> record(session, field, value).isPresent());
    return record(session, field, value).orElseThrow();
  }

  private Optional<Map<String, String>> record(String session, String field, String value) {
    return redis.receipts(session).stream().filter(it -> value.equals(it.get(field))).findFirst();
  }

  private void awaitNoLists() {
    await("no list of entries")
        .atMost(LONG)
        .until(() ->
            redis.keys().stream()
                .allMatch(key -> key.startsWith("receipts:") || key.equals("steering:rejected")));
  }

  private void stop(String run) {
    hub.socket().post("/api/v1/runs/" + run + "/stop", "{\"wait\":true}");
  }

  /** Seen to fail when the listener does not tell the consumer of a changed list. */
  @Test
  void t201_an_entry_for_a_running_session_reaches_its_agent_at_once() {
    String run = hub.busyRun();
    redis.push(run, "focus on the OAuth provider");

    JsonNode steer = steer(run);
    assertThat(steer.path("text").asString("")).isEqualTo("focus on the OAuth provider");
    assertThat(steer.path("mode").asString("")).isEqualTo("steer");
    assertThat(steer.path("author").path("group").asString("")).isEqualTo("main");
    assertThat(steer.path("author").path("origin").asString("")).isEqualTo("redis:tom");
    awaitRecord(run, "rung", "accepted");
    awaitNoLists();
  }

  /** Seen to fail when the rungs are not written to the stream. */
  @Test
  void t202_the_agent_answers_the_entry_in_its_current_run_and_each_rung_is_on_the_stream() {
    String run = hub.busyRun();
    redis.pushRaw(run, "{\"text\":\"use tabs\",\"id\":\"my-1\"}");
    awaitRecord(run, "rung", "accepted");
    hub.socket()
        .post("/api/v1/runs/" + run + "/steers", "{\"text\":\"go on\",\"mode\":\"interrupt\"}");

    assertThat(hub.end(run)).isEqualTo("done");
    Map<String, String> answered = awaitRecord(run, "rung", "answered");
    assertThat(answered).containsEntry("id", "my-1").containsEntry("run_id", run);
    await("its end").atMost(LONG).until(() -> redis.receipts(run).getLast().containsKey("ended"));
    List<Map<String, String>> records = redis.receipts(run);
    assertThat(records.stream().filter(it -> it.containsKey("rung")).map(it -> it.get("rung")))
        .startsWith("stored", "offered", "accepted")
        .contains("answered")
        .doesNotHaveDuplicates();
    assertThat(records)
        .allSatisfy(it -> assertThat(it).containsEntry("steer_id", answered.get("steer_id")))
        .allSatisfy(it -> assertThat(it).containsKey("at"))
        .filteredOn(it -> it.containsKey("rung"))
        .allSatisfy(it -> assertThat(it.get("evidence")).isNotBlank());
  }

  /** Seen to fail when stop words are not looked for. */
  @Test
  void t203_a_stop_word_and_an_abort_end_the_run() {
    for (String entry :
        List.of(
            "{\"text\":\"Stop!\",\"sender\":\"Tom\",\"timestamp\":1,\"is_abort\":false}",
            "{\"text\":\" cancel \"}",
            "{\"text\":\"leave it\",\"is_abort\":true}",
            "{\"is_abort\":true}")) {
      String run = hub.busyRun();
      redis.pushRaw(run, entry);
      assertThat(hub.end(run)).as(entry).isEqualTo("stopped");
    }
  }

  /** Seen to fail when stop words are not looked for. */
  @Test
  void t203_a_stop_ends_a_queued_run_before_it_starts_and_entries_beside_it_are_told()
      throws IOException {
    hub.close();
    hub = open("[workers.w]\nat_once = 1");
    queue("first");
    queue("second");
    redis.push("second", "one more thing");
    redis.push("second", "stop");

    assertThat(hub.end("second")).isEqualTo("stopped");
    assertThat(awaitRecord("second", "ended", "expired")).containsKey("reason");
    assertThat(hub.socket().get("/api/v1/runs/first").text("state")).isEqualTo("running");
  }

  private JsonNode queue(String run) {
    JsonNode made =
        hub.socket()
            .post(
                "/api/v1/runs",
                "{\"run_id\":\"" + run + "\",\"worker\":\"w\",\"prompt\":\"$ sleep 600\"}")
            .json();
    if (run.equals("first")) {
      await("the first turn")
          .atMost(LONG)
          .until(() -> hub.socket().get("/api/v1/runs/first").json().path("turn").asInt(0) > 0);
    }
    return made;
  }

  /** Seen to fail when the listener does not tell the consumer of a changed list. */
  @Test
  void t204_a_task_that_is_no_entry_queues_with_its_position_and_entries_wait_for_it()
      throws IOException {
    hub.close();
    hub = open("[workers.w]\nat_once = 1");
    queue("first");
    assertThat(queue("second").path("place_in_queue").asInt(-1)).isZero();
    assertThat(queue("third").path("place_in_queue").asInt(-1)).isEqualTo(1);
    redis.push("third", "for the third");

    assertThat(steer("third").path("rung").asString("")).isEqualTo("stored");
    assertThat(hub.steers("first")).isEmpty();
    assertThat(hub.socket().get("/api/v1/runs/third").text("state")).isEqualTo("queued");
  }

  /** Seen to fail when the listener does not tell the consumer of a changed list. */
  @Test
  void t205_an_entry_for_an_ended_run_is_told_so_and_the_resumed_run_takes_entries_again() {
    String run = hub.busyRun();
    stop(run);
    redis.push(run, "and the tests?");

    assertThat(awaitRecord(run, "rejected", "run_ended").get("reason"))
        .contains("has ended (stopped)", "restart it with a new prompt");
    awaitNoLists();
    hub.socket().post("/api/v1/runs/" + run + "/restart", "{\"prompt\":\"$ sleep 600\"}");
    redis.push(run, "now it works");
    assertThat(steer(run).path("text").asString("")).isEqualTo("now it works");
  }

  /** Seen to fail when the streams of an ended run do not expire. */
  @Test
  void t206_t207_after_the_end_only_streams_are_left_and_they_expire_within_a_day() {
    redis.commands().set("steering:attempts:other", "3");
    redis.commands().set("unrelated", "kept");
    String run = hub.busyRun();
    redis.push(run, "one");
    redis.pushRaw(run, "not json");
    awaitRecord(run, "rejected", "invalid");
    redis.push(run, "stop");
    assertThat(hub.end(run)).isEqualTo("stopped");
    redis.push(run, "too late");
    awaitRecord(run, "rejected", "run_ended");

    await("a stream that expires")
        .atMost(LONG)
        .until(() -> redis.ttl("receipts:" + run) <= Duration.ofDays(1).toSeconds());
    assertThat(redis.keys())
        .containsExactly(
            "receipts:" + run, "steering:attempts:other", "steering:rejected", "unrelated");
    assertThat(redis.ttl("receipts:" + run)).isPositive();
    assertThat(redis.ttl("steering:rejected")).isPositive();
  }

  /** Seen to fail when new entries are taken from the other end of the list. */
  @Test
  void t208_a_thousand_entries_become_steers_in_their_order() {
    String run = hub.busyRun();
    List<String> expected = IntStream.range(0, 1000).mapToObj(i -> "message " + i).toList();
    String[] entries =
        expected.stream().map(it -> "{\"text\":\"" + it + "\"}").toArray(String[]::new);
    redis.commands().rpush("steering:" + run, entries);

    await("all steers").atMost(LONG).until(() -> texts(run).size() >= 1000);
    assertThat(texts(run)).isEqualTo(expected);
    awaitNoLists();
  }

  /** Seen to fail when the number of open steers is not looked at. */
  @Test
  void entries_beyond_the_maximum_of_open_steers_wait_in_redis_and_are_told_at_the_end() {
    String run = hub.busyRun();
    for (int i = 0; i < 1050; i++) {
      redis.commands().rpush("steering:" + run, "{\"text\":\"message " + i + "\"}");
    }
    await("the maximum").atMost(LONG).until(() -> texts(run).size() == 1000);
    assertThat(redis.list("steering:rejected")).isEmpty();

    stop(run);
    await("refusals").atMost(LONG).until(() -> redis.list("steering:rejected").size() == 50);
    assertThat(texts(run)).hasSize(1000);
    assertThat(redis.list("steering:rejected").getFirst()).contains("message 1000", "run_ended");
    awaitNoLists();
  }

  /** Seen to fail when the listener does not tell the consumer of a changed list. */
  @Test
  void malformed_entries_are_put_aside_with_a_reason_and_hold_nothing_up() {
    String run = hub.busyRun();
    List<String> bad =
        List.of(
            "not json",
            "[]",
            "{}",
            "{\"text\":7}",
            "{\"text\":\"  \"}",
            "{\"text\":\"x\",\"is_abort\":\"yes\"}",
            "{\"text\":\"x\",\"timestamp\":[]}",
            "{\"text\":\"x\",\"id\":\"../x\"}",
            "{\"text\":\"" + "x".repeat(70_000) + "\"}",
            "{\"text\":\"" + "x".repeat(600_000) + "\"}");
    redis.push(run, "before");
    bad.forEach(entry -> redis.pushRaw(run, entry));
    redis.push(run, "after");

    await("both").atMost(LONG).until(() -> texts(run).equals(List.of("before", "after")));
    await("refusals").atMost(LONG).until(() -> redis.list("steering:rejected").size() == 10);
    assertThat(redis.list("steering:rejected"))
        .allSatisfy(it -> assertThat(it).contains("\"session_id\":\"" + run + "\"", "\"reason\""))
        .allSatisfy(it -> assertThat(it.length()).isLessThan(3000));
    awaitNoLists();
    assertThat(record(run, "rejected", "too_large")).isPresent();
  }

  /** Seen to fail when an unknown session is left in Redis. */
  @Test
  void entries_for_unknown_sessions_are_told_and_removed() {
    redis.push("no-such-run", "hello");
    redis.push("no such name|at all", "hello");
    assertThat(awaitRecord("no-such-run", "rejected", "not_found").get("reason"))
        .isEqualTo("there is no run of session no-such-run");
    await("both").atMost(LONG).until(() -> redis.list("steering:rejected").size() == 2);
    awaitNoLists();
    assertThat(redis.keys()).containsExactly("receipts:no-such-run", "steering:rejected");
    assertThat(redis.ttl("receipts:no-such-run")).isPositive();
  }

  @Test
  void refused_entries_are_bounded() {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < 1200; i++) {
      entries.add("bad " + i);
    }
    redis.commands().rpush("steering:no-such-run", entries.toArray(String[]::new));
    await("the newest")
        .atMost(LONG)
        .until(() ->
            redis.list("steering:rejected").stream().anyMatch(it -> it.contains("\"bad 1199\"")));
    assertThat(redis.list("steering:rejected")).hasSize(1000);
    assertThat(redis.receipts("no-such-run")).hasSize(1000);
  }

  /** Seen to fail when only ids of runs are looked up. */
  @Test
  void a_session_is_named_by_its_agent_or_by_a_message_of_its_chat_too() {
    String run = hub.busyRun();
    String session = hub.socket().get("/api/v1/runs/" + run).text("session_id");
    redis.push(session, "by session");
    assertThat(awaitRecord(session, "rung", "accepted")).containsEntry("run_id", run);

    MessageRef message = new MessageRef(ChannelName.of("telegram"), "-100123", "42");
    hub.hub()
        .engine()
        .ledger()
        .write(tx -> {
          tx.chats().connect(message, RunId.of(run), Optional.empty());
          return run;
        });
    redis.push("tg_my_project_-100123_42", "by message");
    assertThat(awaitRecord("tg_my_project_-100123_42", "rung", "accepted"))
        .containsEntry("run_id", run);
    redis.push("tg_my_project_-100123_43", "by another message");
    awaitRecord("tg_my_project_-100123_43", "rejected", "not_found");
    assertThat(texts(run)).containsExactly("by session", "by message");
    awaitNoLists();
  }

  /** Seen to fail when the own id is not part of the key. */
  @Test
  void an_entry_with_an_id_of_its_own_has_one_effect_however_often_it_is_pushed() {
    String run = hub.busyRun();
    redis.pushRaw(run, "{\"text\":\"once\",\"id\":\"a1\"}");
    redis.pushRaw(run, "{\"text\":\"once\",\"id\":\"a1\"}");
    redis.pushRaw(run, "{\"text\":\"another\",\"id\":\"a1\"}");
    redis.push(run, "last");
    await("the last").atMost(LONG).until(() -> texts(run).contains("last"));
    assertThat(texts(run)).containsExactly("once", "last");
    awaitRecord(run, "rejected", "key_conflict");
    awaitNoLists();
  }

  /** Seen to fail when the caller is main whatever the settings say. */
  @Test
  void an_entry_has_the_rights_of_the_configured_group_and_no_others() throws IOException {
    hub.close();
    hub =
        open(
            """
            group = "andy"
            [groups.andy]
            role = "lead"
            workers = ["w"]
            [workers.w]
            at_once = 1
            """);
    String others = hub.busyRun();
    queue("first");
    redis.push(others, "not yours");
    redis.push("first", "yours");
    assertThat(steer("first").path("author").path("group").asString("")).isEqualTo("andy");
    awaitRecord(others, "rejected", "forbidden");
    assertThat(hub.steers(others)).isEmpty();
  }

  @Test
  void an_entry_is_never_an_answer_to_a_question() {
    String run = hub.run("? push to main\n$ echo pushed");
    String asks = "/api/v1/runs/" + run + "/asks";
    await("a question")
        .atMost(LONG)
        .until(() -> hub.socket().get(asks).json().path("asks").size() == 1);
    for (String text : List.of("yes", "allow", "approve")) {
      redis.pushRaw(run, "{\"text\":\"" + text + "\",\"answer\":\"allow\",\"ask\":\"1\"}");
    }
    await("the steers").atMost(LONG).until(() -> texts(run).size() == 3);
    JsonNode ask = hub.socket().get(asks).json().path("asks").get(0);
    assertThat(ask.path("closed").isMissingNode() || ask.path("closed").isNull())
        .as(ask.toString())
        .isTrue();
    assertThat(ask.path("answer").isMissingNode() || ask.path("answer").isNull())
        .as(ask.toString())
        .isTrue();
  }

  @Test
  void entries_from_before_and_after_a_restart_of_redis_are_all_taken() throws IOException {
    String run = hub.busyRun();
    redis.push(run, "one");
    awaitRecord(run, "rung", "accepted");
    redis.stop();
    hub.socket().post("/api/v1/runs/" + run + "/steers", "{\"text\":\"not by redis\"}");
    assertThat(texts(run)).as("nobody waits for Redis").containsExactly("one", "not by redis");
    redis.startAgain();
    redis.push(run, "two");
    redis.push(run, "three");
    await("all").atMost(LONG).until(() -> texts(run).size() == 4);
    assertThat(texts(run)).containsExactly("one", "not by redis", "two", "three");
    awaitNoLists();
    await("six rungs")
        .atMost(LONG)
        .until(() ->
            redis.receipts(run).stream().filter(it -> "accepted".equals(it.get("rung"))).count()
                == 3);
  }

  @Test
  void a_hub_starts_without_redis_and_takes_the_entries_when_redis_comes() throws IOException {
    hub.close();
    redis.stop();
    hub = open("");
    String run = hub.busyRun();
    redis.startAgain();
    redis.push(run, "late");
    assertThat(steer(run).path("text").asString("")).isEqualTo("late");
  }

  @Test
  void entries_that_were_pushed_while_no_hub_ran_are_taken_by_the_next() throws IOException {
    hub.close();
    redis.push("later", "from before");
    redis.stop();
    redis.startAgain();
    hub = open("[workers.w]\nat_once = 1");
    awaitRecord("later", "rejected", "not_found");
    awaitNoLists();
  }

  /** Seen to fail when the wake list is not read. */
  @Test
  void a_server_that_does_not_notify_is_woken_by_a_list_and_scanned() throws IOException {
    hub.close();
    redis.close();
    redis = TestRedis.in(temp.resolve("redis-without-config"), "rename-command CONFIG \"\"");
    hub = open("");
    String run = hub.busyRun();
    redis.push(run, "found by a scan");
    steer(run);
    redis.push(run, "told by the wake list");
    redis.commands().rpush("steering:wake", run);
    await("both").atMost(LONG).until(() -> texts(run).size() == 2);
    awaitNoLists();
  }
}
