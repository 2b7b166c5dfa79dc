package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.RawClient.Reply;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonCodec;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class EventsTest {
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

  private EventStreamClient listen(String query) {
    return EventStreamClient.to(fixture.hub().url() + "/api/v1/events" + query, fixture.token());
  }

  private List<Long> allCursors() {
    Log log = fixture.hub().engine().ledger().log();
    return LongStream.rangeClosed(1, log.newest()).boxed().toList();
  }

  @Test
  void a_listener_gets_every_event_from_the_start_in_order_and_once() {
    String run = fixture.run("$ echo one\n$ echo two");
    fixture.end(run);
    try (EventStreamClient listening = listen("?after=0")) {
      listening.await(allCursors().size());
      assertThat(listening.cursors()).isEqualTo(allCursors());
      assertThat(listening.kinds()).startsWith("run_queued", "run_picked").contains("run_ended");
    }
  }

  @Test
  void a_listener_without_a_cursor_gets_only_new_events() {
    fixture.end(fixture.run("$ echo old"));
    try (EventStreamClient listening = listen("")) {
      listening.awaitOpen();
      String run = fixture.run("$ echo new");
      fixture.end(run);
      listening.awaitKind("run_ended");
      assertThat(listening.runs()).containsOnly(run);
    }
  }

  @Test
  void a_listener_that_comes_back_with_its_cursor_continues_where_it_was() {
    String run = fixture.run("$ echo one\n$ echo two");
    fixture.end(run);
    List<Long> all = allCursors();
    long middle = all.get(all.size() / 2);
    try (EventStreamClient by = listen("?after=" + middle)) {
      by.await(all.size() - (int) middle);
      assertThat(by.cursors()).isEqualTo(all.subList((int) middle, all.size()));
    }
    try (EventStreamClient by =
        EventStreamClient.to(
            fixture.hub().url() + "/api/v1/events?after=0", fixture.token(), "" + middle)) {
      by.await(all.size() - (int) middle);
      assertThat(by.cursors()).as("Last-Event-ID wins").first().isEqualTo(middle + 1);
    }
  }

  @Test
  void an_event_is_one_object_with_its_place_and_its_own_fields() {
    String run = fixture.busyRun();
    person.post("/api/v1/runs/" + run + "/steers", "{\"text\":\"two\\nlines \\u2028 \\\"q\\\"\"}");
    try (EventStreamClient listening = listen("?after=0&kind=steer_stored")) {
      listening.await(1);
      JsonNode event = listening.events().getFirst();
      assertThat(event.path("kind").asString("")).isEqualTo("steer_stored");
      assertThat(event.path("run_id").asString("")).isEqualTo(run);
      assertThat(event.path("cursor").asLong(0)).isPositive();
      assertThat(event.path("at").asString("")).endsWith("Z");
      assertThat(event.path("text").asString("")).isEqualTo("two\nlines \u2028 \"q\"");
      assertThat(event.path("author").path("group").asString("")).isEqualTo("main");
    }
  }

  @Test
  void a_listener_may_ask_for_one_run_and_for_some_kinds() {
    String one = fixture.run("$ echo one");
    String two = fixture.run("$ echo two");
    fixture.end(one);
    fixture.end(two);
    try (EventStreamClient listening =
        listen("?after=0&run=" + two + "&kind=run_queued,run_ended")) {
      listening.await(2);
      assertThat(listening.runs()).containsOnly(two);
      assertThat(listening.kinds()).containsExactly("run_queued", "run_ended");
    }
  }

  @Test
  void a_wrong_request_is_refused_before_the_stream_begins() {
    String events = "/api/v1/events";
    assertThat(person.get(events + "?after=-1").text("field")).isEqualTo("after");
    assertThat(person.get(events + "?after=1000000").text("field")).isEqualTo("after");
    assertThat(person.get(events + "?after=x").text("field")).isEqualTo("after");
    assertThat(person.get(events + "?kind=gossip").text("field")).isEqualTo("kind");
    assertThat(person.get(events + "?run=nobody").status()).isEqualTo(404);
    assertThat(person.with("Last-Event-ID", "x").get(events).text("field"))
        .isEqualTo("last-event-id");
  }

  @Test
  void the_events_of_a_run_are_read_in_pages() {
    String run = fixture.run("$ echo one");
    fixture.end(run);
    List<Long> cursors = new ArrayList<>();
    long after = 0;
    while (true) {
      Reply page = person.get("/api/v1/runs/" + run + "/events?limit=3&after=" + after);
      JsonNode events = page.json().path("events");
      if (events.isEmpty()) {
        break;
      }
      assertThat(events.size()).isLessThanOrEqualTo(3);
      events.forEach(event -> cursors.add(event.path("cursor").asLong(0)));
      after = page.json().path("next").asLong(0);
    }
    assertThat(cursors).isEqualTo(allCursors());
    assertThat(person.get("/api/v1/runs/" + run + "/events?limit=0").text("field"))
        .isEqualTo("limit");
    assertThat(person.get("/api/v1/runs/" + run + "/events?after=-1").text("field"))
        .isEqualTo("after");
  }

  @Test
  void a_listener_that_does_not_read_delays_no_other_and_gets_the_rest_by_its_cursor() {
    String url = fixture.hub().url() + "/api/v1/events?after=0";
    List<Long> received = new ArrayList<>();
    try (EventStreamClient sleeper = EventStreamClient.asleep(url, fixture.token())) {
      String run = fixture.busyRun();
      String text = JsonCodec.write("x".repeat(60_000));
      for (int i = 0; i < 100; i++) {
        // Six megabytes of events: more than the sockets of both sides hold.
        person.post(
            "/api/v1/runs/" + run + "/steers", "{\"mode\":\"follow_up\",\"text\":" + text + "}");
      }
      Reply steer =
          person.post(
              "/api/v1/runs/" + run + "/steers?wait=accepted&timeout=30s", "{\"text\":\"now\"}");
      assertThat(steer.text("rung")).isEqualTo("accepted");
      try (EventStreamClient awake = listen("?after=0&kind=steer_stored")) {
        awake.await(101);
      }
      sleeper.wake();
      sleeper.await(5);
      sleeper.close();
      received.addAll(sleeper.cursors());
    }
    try (EventStreamClient again =
        EventStreamClient.to(url, fixture.token(), "" + received.getLast())) {
      again.await(allCursors().size() - received.size());
      received.addAll(again.cursors());
    }
    assertThat(received).isEqualTo(allCursors());
  }

  @Test
  void a_client_that_goes_away_is_forgotten() throws Exception {
    SocketChannel gone = SocketChannel.open(UnixDomainSocketAddress.of(data.resolve("hub.sock")));
    gone.write(
        ByteBuffer.wrap("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8)));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> fixture.hub().clients() == 1);
    gone.close();
    fixture.end(fixture.run("$ echo something for it to hear"));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> fixture.hub().clients() == 0);
  }
}
