package dev.midcourse.proof.model;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.wire.Json.array;
import static dev.midcourse.proof.model.wire.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A conversation that a vendor refuses is refused here, and the test fails when it closes the
 * model.
 */
class ShapeTest {
  private static final String ANTHROPIC = "/v1/messages";
  private static final String CHAT = "/v1/chat/completions";
  private static final String RESPONSES = "/v1/responses";
  private static final String GEMINI = "/v1beta/models/scripted:streamGenerateContent";

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("sound")
  void what_a_vendor_takes_is_answered(String path, ArrayNode conversation) throws Exception {
    try (ScriptedModel model = ScriptedModel.start()) {
      Lane lane = model.lane("sound", Script.of(say("Done.")));

      assertThat(ask(lane, path, conversation).statusCode()).isEqualTo(200);
      assertThat(lane.requests().count()).isEqualTo(1);
      assertThat(lane.takeRefused()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("refused")
  void what_a_vendor_refuses_is_refused_and_takes_no_step(
      String path, String why, ArrayNode conversation) throws Exception {
    try (ScriptedModel model = ScriptedModel.start()) {
      Lane lane = model.lane("refused", Script.of(say("Done.")));

      HttpResponse<String> answer = ask(lane, path, conversation);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains(why);
      assertThat(lane.stepsLeft()).isEqualTo(1);
      assertThat(lane.takeRefused()).singleElement().asString().contains(why);
    }
  }

  @Test
  void an_unread_refused_request_is_reported_when_the_model_is_closed() throws Exception {
    ScriptedModel model = ScriptedModel.start();
    ask(model.lane("unseen", Script.of()), ANTHROPIC, array());
    assertThatThrownBy(model::close).hasMessageContaining("unseen: there are no messages");
  }

  private static HttpResponse<String> ask(Lane lane, String path, ArrayNode conversation)
      throws Exception {
    ObjectNode body =
        switch (path) {
          case ANTHROPIC -> ModelClient.anthropicBody("").set("messages", conversation);
          case CHAT -> ModelClient.chatBody("").set("messages", conversation);
          case RESPONSES -> ModelClient.responsesBody("").set("input", conversation);
          default -> ModelClient.geminiBody("").set("contents", conversation);
        };
    try (ModelClient caller = new ModelClient(lane)) {
      return caller.post(path, body);
    }
  }

  static Stream<Arguments> sound() {
    return Stream.of(
        Arguments.of(
            ANTHROPIC,
            array(
                said("user", "Go."),
                blocks("assistant", text("I go."), use("1"), use("2")),
                blocks("user", result("2"), result("1"), text("Use tabs.")))),
        Arguments.of(
            ANTHROPIC,
            array(
                said("user", "Go."),
                said("user", "And this."),
                blocks("assistant", use("1")),
                blocks("user", result("1")),
                said("user", "Use tabs."))),
        Arguments.of(
            CHAT,
            array(
                said("user", "Go."),
                calling("1", "2"),
                answer("1"),
                answer("2"),
                said("user", "x"))),
        Arguments.of(
            RESPONSES,
            array(item("user", "Go."), call("1"), item("user", "Use tabs."), output("1"))),
        Arguments.of(
            GEMINI,
            array(
                parts("user", object("text", "Go.")),
                parts("model", function("ls"), function("cat")),
                parts("user", response("cat"), response("ls"), object("text", "Use tabs.")))));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(ANTHROPIC, "there are no messages", array()),
        Arguments.of(
            ANTHROPIC,
            "the call 1 has no result in the message after it",
            array(
                said("user", "Go."),
                blocks("assistant", use("1")),
                said("user", "Do this instead."),
                said("assistant", "Done."))),
        Arguments.of(
            ANTHROPIC,
            "the call 1 has no result at the end",
            array(said("user", "Go."), blocks("assistant", use("1")), said("user", "Again."))),
        Arguments.of(
            ANTHROPIC,
            "a result of 7",
            array(said("user", "Go."), said("assistant", "No."), blocks("user", result("7")))),
        Arguments.of(
            ANTHROPIC,
            "a result behind other content",
            array(
                said("user", "Go."),
                blocks("assistant", use("1")),
                blocks("user", text("Use tabs."), result("1")))),
        Arguments.of(ANTHROPIC, "message 0 is empty", array(said("user", ""))),
        Arguments.of(ANTHROPIC, "a blank text", array(blocks("user", text(" ")))),
        Arguments.of(
            ANTHROPIC,
            "stands there twice",
            array(
                said("user", "Go."),
                blocks("assistant", use("1")),
                blocks("user", result("1")),
                blocks("assistant", use("1")),
                blocks("user", result("1")))),
        Arguments.of(
            CHAT,
            "the call 2 has no result right after it",
            array(said("user", "Go."), calling("1", "2"), answer("1"), said("user", "x"))),
        Arguments.of(CHAT, "a result of 1", array(said("user", "Go."), answer("1"))),
        Arguments.of(CHAT, "of the user is empty", array(said("user", ""))),
        Arguments.of(
            RESPONSES,
            "the call 1 has no result behind it",
            array(item("user", "Go."), call("1"), item("user", "Do this instead."))),
        Arguments.of(RESPONSES, "a result of 1", array(item("user", "Go."), output("1"))),
        Arguments.of(RESPONSES, "there is no input", array()),
        Arguments.of(
            GEMINI,
            "content 2 answers [] where the model had called [ls]",
            array(
                parts("user", object("text", "Go.")),
                parts("model", function("ls")),
                parts("user", object("text", "Do this instead.")))),
        Arguments.of(
            GEMINI,
            "content 1 answers [ls] where the model had called []",
            array(parts("user", object("text", "Go.")), parts("user", response("ls")))),
        Arguments.of(
            GEMINI,
            "no user is before it",
            array(parts("model", function("ls")), parts("user", response("ls")))),
        Arguments.of(GEMINI, "content 0 has no parts", array(parts("user"))),
        Arguments.of(
            GEMINI, "content 0 has an empty part", array(parts("user", object("text", "")))));
  }

  private static ObjectNode said(String role, String text) {
    return object("role", role, "content", text);
  }

  private static ObjectNode blocks(String role, JsonNode... blocks) {
    return object("role", role, "content", array((Object[]) blocks));
  }

  private static ObjectNode text(String text) {
    return object("type", "text", "text", text);
  }

  private static ObjectNode use(String id) {
    return object("type", "tool_use", "id", id, "name", "Bash", "input", object());
  }

  private static ObjectNode result(String id) {
    return object("type", "tool_result", "tool_use_id", id, "content", "ok");
  }

  private static ObjectNode calling(String... ids) {
    return object(
        "role",
        "assistant",
        "tool_calls",
        array(Stream.of(ids).map(id -> object("id", id, "type", "function")).toArray()));
  }

  private static ObjectNode answer(String id) {
    return object("role", "tool", "tool_call_id", id, "content", "ok");
  }

  private static ObjectNode item(String role, String text) {
    return object("type", "message", "role", role, "content", text);
  }

  private static ObjectNode call(String id) {
    return object("type", "function_call", "call_id", id, "name", "x", "arguments", "{}");
  }

  private static ObjectNode output(String id) {
    return object("type", "function_call_output", "call_id", id, "output", "ok");
  }

  private static ObjectNode parts(String role, JsonNode... parts) {
    return object("role", role, "parts", array((Object[]) parts));
  }

  private static ObjectNode function(String name) {
    return object("functionCall", object("name", name, "args", object()));
  }

  private static ObjectNode response(String name) {
    return object("functionResponse", object("name", name, "response", object("output", "ok")));
  }
}
