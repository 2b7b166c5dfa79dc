package dev.midcourse.proof.model;

import static dev.midcourse.proof.model.Step.fail;
import static dev.midcourse.proof.model.Step.hang;
import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.sayAround;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.proof.model.RecordedRequest.Outcome;
import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.ModelUsage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

/** The script is played in order, at the test's pace, and every request is recorded. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ScriptedModelTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final ScriptedModel model = ScriptedModel.start();
  private final Lane lane = model.lane("one", Script.of());
  private final ModelClient caller = new ModelClient(lane);

  @AfterEach
  void close() {
    caller.close();
    model.close();
  }

  @Test
  void steps_are_played_one_per_request_and_then_the_end() throws Exception {
    lane.play(Script.of(say("first"), say("second")).atTheEnd(say("over")));

    assertThat(said()).isEqualTo("first");
    assertThat(lane.stepsLeft()).isEqualTo(1);
    assertThat(said()).isEqualTo("second");
    assertThat(said()).isEqualTo("over");
    assertThat(said()).isEqualTo("over");
  }

  @Test
  void a_call_without_tools_takes_no_step_and_is_recorded_apart() throws Exception {
    lane.play(Script.of(say("first")));
    var title = ModelClient.anthropicBody("Make a title.");
    title.remove("tools");

    var answer = caller.post("/v1/messages", title).body();

    assertThat(answer).contains("Scripted session");
    assertThat(lane.sideRequests().count()).isEqualTo(1);
    assertThat(lane.requests().count()).isZero();
    assertThat(said()).isEqualTo("first");
  }

  @Test
  void a_guess_at_the_next_prompt_takes_no_step_although_it_offers_tools() throws Exception {
    lane.play(Script.of(say("first")));

    caller.anthropic("[SUGGESTION MODE: Suggest what the user might naturally type next.]");

    assertThat(lane.sideRequests().count()).isEqualTo(1);
    assertThat(said()).isEqualTo("first");
  }

  @Test
  void a_call_for_itself_that_wants_json_gets_json_after_its_schema() throws Exception {
    var title = ModelClient.chatBody("Who speaks next?").put("stream", false);
    title.remove("tools");
    title.set(
        "response_format",
        Json.MAPPER.readTree(
            """
            {"type": "json_schema", "json_schema": {"schema": {
              "type": "object", "required": ["next", "sure"],
              "properties": {"next": {"enum": ["user", "model"]}, "sure": {"type": "boolean"}}}}}
            """));

    var answer = Json.MAPPER.readTree(caller.post("/v1/chat/completions", title).body());

    assertThat(Json.MAPPER.readTree(answer.at("/choices/0/message/content").asString()))
        .isEqualTo(Json.object("next", "user", "sure", false));
  }

  @Test
  void a_lane_for_clients_without_tools_takes_every_request_for_the_conversation()
      throws Exception {
    lane.withoutSideCalls().play(Script.of(say("plain")));
    var body = ModelClient.anthropicBody("Hello.");
    body.remove("tools");

    assertThat(caller.post("/v1/messages", body).body()).contains("plain");
    assertThat(lane.requests().count()).isEqualTo(1);
  }

  @Test
  void a_failure_comes_as_often_as_the_script_says() throws Exception {
    lane.play(
        Script.of(fail(529).times(2).retryAfter(Duration.ofMillis(1500)), fail(401), say("well")));

    var overloaded = caller.anthropic("Go.");
    assertThat(overloaded.statusCode()).isEqualTo(529);
    assertThat(overloaded.body()).contains("overloaded_error");
    assertThat(overloaded.headers().firstValue("retry-after-ms")).contains("1500");
    assertThat(caller.anthropic("Go.").statusCode()).isEqualTo(529);
    assertThat(caller.anthropic("Go.").statusCode()).isEqualTo(401);
    assertThat(said()).isEqualTo("well");
    assertThat(lane.awaitSettled(1, TIMEOUT).outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(lane.awaitSettled(4, TIMEOUT).outcome()).isEqualTo(Outcome.ANSWERED);
  }

  @Test
  void a_held_answer_comes_when_its_gate_opens() throws Exception {
    var gate = new Gate("hold");
    lane.play(Script.of(say("at last").heldBy(gate)));

    var answer = async();
    gate.awaitReached(TIMEOUT);
    assertThat(lane.awaitRequest(1, TIMEOUT).outcome()).isEqualTo(Outcome.OPEN);
    assertThat(answer).isNotDone();
    gate.open();

    assertThat(answer.get().body()).contains("at last");
    assertThat(lane.awaitSettled(1, TIMEOUT).outcome()).isEqualTo(Outcome.ANSWERED);
  }

  @Test
  void text_before_a_gate_is_on_the_wire_before_the_gate_opens() throws Exception {
    var gate = new Gate("middle");
    lane.play(Script.of(sayAround("the beginning", gate, "the end")));

    var stream = caller.open("/v1/messages", ModelClient.anthropicBody("Go.")).body();
    try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      var line = reader.readLine();
      while (line != null && !line.contains("the beginning")) {
        line = reader.readLine();
      }
      assertThat(line).contains("the beginning");
      gate.awaitReached(TIMEOUT);
      assertThat(lane.requests().last().outcome()).isEqualTo(Outcome.OPEN);
      gate.open();
      assertThat(reader.lines().toList())
          .anyMatch(rest -> rest.contains("the end"))
          .filteredOn(rest -> rest.contains("content_block_start"))
          .isEmpty();
    }
  }

  @Test
  void an_agent_that_goes_away_in_the_middle_is_recorded_as_gone() throws Exception {
    var gate = new Gate("middle");
    var slow = new Pace(1, Duration.ofMillis(1));
    lane.play(
        Script.of(
            new Step.Answer(
                List.of(
                    Part.Text.of("begin"),
                    new Part.Pause(gate),
                    new Part.Text("x".repeat(3000), slow)),
                ModelUsage.SMALL)));

    caller.open("/v1/messages", ModelClient.anthropicBody("Go.")).body().close();
    gate.open();

    assertThat(lane.awaitSettled(1, TIMEOUT).outcome()).isEqualTo(Outcome.ABANDONED);
  }

  @Test
  void a_hang_gives_no_answer_and_breaks_the_connection_when_released() throws Exception {
    var gate = new Gate("never");
    lane.play(Script.of(hang(gate)));

    var answer = async();
    gate.awaitReached(TIMEOUT);
    gate.open();

    assertThatThrownBy(answer::get).hasCauseInstanceOf(IOException.class);
    assertThat(lane.awaitSettled(1, TIMEOUT).outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void closing_the_model_ends_answers_that_hang() throws Exception {
    var gate = new Gate("never");
    lane.play(Script.of(hang(gate)));
    var answer = async();
    gate.awaitReached(TIMEOUT);

    model.close();

    assertThatThrownBy(answer::get).hasCauseInstanceOf(IOException.class);
  }

  @Test
  void a_cut_answer_has_no_end() throws Exception {
    lane.play(Script.of(Step.cutAfter("half a sen")));

    var events = ModelClient.events(caller.anthropic("Go.").body());

    assertThat(events.getLast().at("/delta/text").asString()).isEqualTo("half a sen");
    assertThat(lane.awaitSettled(1, TIMEOUT).outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void what_the_model_sees_can_change_its_next_step_once() throws Exception {
    lane.play(
        Script.of(say("first"), say("second"))
            .whenSees("use\\s+tabs", say("Tabs it is."), say("Still tabs.")));

    assertThat(said("begin")).isEqualTo("first");
    assertThat(said("please use  tabs")).isEqualTo("Tabs it is.");
    assertThat(said("please use  tabs")).isEqualTo("Still tabs.");
    assertThat(said("please use  tabs")).isEqualTo("second");
  }

  @Test
  void the_record_says_in_which_request_words_came_first_and_how_often() throws Exception {
    lane.play(Script.of().atTheEnd(say("ok")));
    caller.anthropic("hello");
    caller.anthropic("hello steer-7");
    caller.anthropic("steer-7 and again steer-7");

    assertThat(lane.requests().firstContaining("steer-7")).hasValue(2);
    assertThat(lane.requests().firstContaining("steer-8")).isEmpty();
    assertThat(lane.requests().number(1).occurrences("steer-7")).isZero();
    assertThat(lane.requests().last().occurrences("steer-7")).isEqualTo(2);
    assertThat(lane.awaitContaining("steer-7", TIMEOUT).number()).isEqualTo(2);
    assertThat(lane.requests().last().body()).startsWith("{").contains("steer-7 and again");
  }

  @Test
  void waiting_for_a_request_that_does_not_come_says_what_came() throws Exception {
    caller.anthropic("only this");

    assertThatThrownBy(() -> lane.awaitRequest(2, Duration.ofMillis(20)))
        .hasMessageContaining("no request 2")
        .hasMessageContaining("only this");
  }

  @Test
  void lanes_do_not_mix() throws Exception {
    lane.play(Script.of(say("one")));
    var other = model.lane("two", Script.of(say("two")));

    try (var otherAsker = new ModelClient(other)) {
      assertThat(otherAsker.anthropic("Go.").body()).contains("\"two\"");
    }
    assertThat(said()).isEqualTo("one");
    assertThat(lane.requests().count()).isEqualTo(1);
    assertThat(other.requests().count()).isEqualTo(1);
    assertThatThrownBy(() -> model.lane("two", Script.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_call_that_no_wire_format_knows_is_refused_and_noted() throws Exception {
    assertThat(caller.get("/v1/nothing").statusCode()).isEqualTo(404);
    assertThat(lane.strays()).containsExactly("GET /v1/nothing");
  }

  @Test
  void a_request_that_is_not_json_is_refused_and_takes_no_step() throws Exception {
    lane.play(Script.of(say("first")));

    var answer =
        caller.post("/v1/messages", Json.MAPPER.getNodeFactory().rawValueNode(new RawValue("{")));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(lane.stepsLeft()).isEqualTo(1);
  }

  @Test
  void another_process_can_read_the_record_and_begin_another_script() throws Exception {
    var put = caller.put("/script", "{\"steps\": [{\"say\": \"from afar\"}]}");
    assertThat(put.statusCode()).isEqualTo(200);
    assertThat(said("a question")).isEqualTo("from afar");
    lane.awaitSettled(1, TIMEOUT);

    var record = Json.MAPPER.readTree(caller.get("/requests").body());
    assertThat(record.at("/requests/0/conversation/0/text").asString()).isEqualTo("a question");
    assertThat(record.at("/requests/0/outcome").asString()).isEqualTo("answered");

    var wrong = caller.put("/script", "{\"steps\": [{\"sing\": \"la\"}]}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("steps[0].sing");
  }

  private CompletableFuture<HttpResponse<String>> async() {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return caller.anthropic("Go.");
      } catch (IOException | InterruptedException e) {
        throw new CompletionException(e);
      }
    });
  }

  private String said() throws Exception {
    return said("Go.");
  }

  private String said(String asked) throws Exception {
    return ModelClient.events(caller.anthropic(asked).body()).stream()
        .map(event -> event.at("/delta/text"))
        .filter(JsonNode::isString)
        .map(JsonNode::asString)
        .reduce("", String::concat);
  }
}
