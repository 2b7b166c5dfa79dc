package dev.midcourse.proof.model;

import static dev.midcourse.proof.model.Step.call;
import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.Message;
import dev.midcourse.proof.model.wire.ModelUsage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Each wire format sends the same script in its vendor's format. */
class WireTest {
  private static final ModelUsage USAGE = new ModelUsage(50, 7, 30, 20);

  private final ScriptedModel model = ScriptedModel.start();
  private final Lane lane =
      model.lane(
          "wire",
          Script.of(
              shell("echo one", "echo two").saying("Two at once."),
              say("All done.", new Pace(4, Duration.ZERO)).using(USAGE)));
  private final ModelClient caller = new ModelClient(lane);

  @AfterEach
  void close() {
    caller.close();
    model.close();
  }

  @Test
  void anthropic_messages_streams_calls_and_text() throws Exception {
    var calling = ModelClient.events(caller.anthropic("Go.").body());
    var finished = ModelClient.events(caller.anthropic("Go.").body());

    assertThat(types(calling))
        .startsWith("message_start", "content_block_start", "content_block_delta")
        .endsWith("message_delta", "message_stop");
    assertThat(texts(calling, "/content_block/name")).containsExactly("Bash", "Bash");
    assertThat(texts(calling, "/delta/partial_json"))
        .containsExactly("{\"command\":\"echo one\"}", "{\"command\":\"echo two\"}");
    assertThat(texts(calling, "/delta/stop_reason")).containsExactly("tool_use");
    assertThat(String.join("", texts(finished, "/delta/text"))).isEqualTo("All done.");
    assertThat(texts(finished, "/delta/text")).hasSize(3);
    assertThat(finished.getFirst().at("/message/usage/cache_read_input_tokens").asInt())
        .isEqualTo(30);
    assertThat(finished.get(finished.size() - 2).at("/usage/output_tokens").asInt()).isEqualTo(7);
  }

  @Test
  void anthropic_messages_answers_whole_when_asked_to() throws Exception {
    var calling = json("/v1/messages", whole(ModelClient.anthropicBody("Go.")));

    assertThat(calling.at("/content/0/text").asString()).isEqualTo("Two at once.");
    assertThat(calling.at("/content/2/input/command").asString()).isEqualTo("echo two");
    assertThat(calling.at("/stop_reason").asString()).isEqualTo("tool_use");
  }

  @Test
  void anthropic_tokens_are_counted_without_a_step() throws Exception {
    var count = json("/v1/messages/count_tokens", ModelClient.anthropicBody("Go."));

    assertThat(count.path("input_tokens").asInt()).isPositive();
    assertThat(lane.requests().count()).isZero();
  }

  @Test
  void chat_completions_streams_calls_and_text() throws Exception {
    var calling = ModelClient.events(post("/v1/chat/completions", ModelClient.chatBody("Go.")));
    var finished = ModelClient.events(post("/v1/chat/completions", ModelClient.chatBody("Go.")));

    assertThat(texts(calling, "/choices/0/delta/tool_calls/0/function/name"))
        .containsExactly("bash", "bash");
    assertThat(texts(calling, "/choices/0/delta/tool_calls/0/function/arguments"))
        .containsExactly("{\"command\":\"echo one\"}", "{\"command\":\"echo two\"}");
    assertThat(texts(calling, "/choices/0/finish_reason")).containsExactly("tool_calls");
    assertThat(String.join("", texts(finished, "/choices/0/delta/content"))).isEqualTo("All done.");
    assertThat(finished.getLast().at("/usage/prompt_tokens").asInt()).isEqualTo(100);
    assertThat(lane.requests().last().request().instructions()).isEqualTo("You are an agent.");
  }

  @Test
  void chat_completions_answers_whole_when_asked_to() throws Exception {
    var calling = json("/v1/chat/completions", whole(ModelClient.chatBody("Go.")));

    assertThat(calling.at("/choices/0/message/content").asString()).isEqualTo("Two at once.");
    assertThat(calling.at("/choices/0/message/tool_calls/1/function/arguments").asString())
        .isEqualTo("{\"command\":\"echo two\"}");
  }

  @Test
  void responses_streams_calls_and_text() throws Exception {
    var calling = ModelClient.events(post("/v1/responses", ModelClient.responsesBody("Go.")));
    var finished = ModelClient.events(post("/v1/responses", ModelClient.responsesBody("Go.")));

    var items =
        calling.stream()
            .filter(event -> type(event).equals("response.output_item.done"))
            .map(event -> event.path("item"))
            .toList();
    assertThat(texts(items, "/type")).containsExactly("message", "function_call", "function_call");
    assertThat(texts(items, "/arguments"))
        .containsExactly("{\"cmd\":\"echo one\"}", "{\"cmd\":\"echo two\"}");
    assertThat(type(calling.getLast())).isEqualTo("response.completed");
    assertThat(calling.getLast().at("/response/output").size()).isEqualTo(3);
    assertThat(String.join("", texts(finished, "/delta"))).isEqualTo("All done.");
    assertThat(finished.getLast().at("/response/usage/input_tokens").asInt()).isEqualTo(100);
  }

  @Test
  void responses_answers_whole_when_asked_to() throws Exception {
    var calling = json("/v1/responses", whole(ModelClient.responsesBody("Go.")));

    assertThat(calling.at("/output/0/content/0/text").asString()).isEqualTo("Two at once.");
    assertThat(calling.at("/output/2/name").asString()).isEqualTo("exec_command");
  }

  @Test
  void gemini_streams_calls_and_text() throws Exception {
    var path = "/v1beta/models/scripted:streamGenerateContent";
    var calling = ModelClient.events(post(path, ModelClient.geminiBody("Go.")));
    var finished = ModelClient.events(post(path, ModelClient.geminiBody("Go.")));

    assertThat(texts(calling, "/candidates/0/content/parts/0/functionCall/args/command"))
        .containsExactly("echo one", "echo two");
    assertThat(String.join("", texts(finished, "/candidates/0/content/parts/0/text")))
        .isEqualTo("All done.");
    assertThat(finished.getLast().at("/candidates/0/finishReason").asString()).isEqualTo("STOP");
    assertThat(finished.getLast().at("/usageMetadata/promptTokenCount").asInt()).isEqualTo(100);
    assertThat(lane.requests().last().request().model()).isEqualTo("scripted");
  }

  @Test
  void gemini_answers_whole_when_asked_to() throws Exception {
    var calling = json("/v1beta/models/scripted:generateContent", ModelClient.geminiBody("Go."));

    assertThat(calling.at("/candidates/0/content/parts/2/functionCall/name").asString())
        .isEqualTo("run_shell_command");
  }

  @Test
  void a_tool_can_be_called_by_its_own_name() throws Exception {
    lane.play(Script.of(call(new ToolCall.Named("Read", Json.object("file_path", "a.txt")))));

    var calling = json("/v1/messages", whole(ModelClient.anthropicBody("Go.")));

    assertThat(calling.at("/content/0/name").asString()).isEqualTo("Read");
    assertThat(calling.at("/content/0/input/file_path").asString()).isEqualTo("a.txt");
  }

  @Test
  void a_shell_call_to_an_agent_without_a_shell_is_refused_and_says_what_is_offered()
      throws Exception {
    var body = whole(ModelClient.anthropicBody("Go."));
    ((ObjectNode) body.at("/tools/0")).put("name", "Read");

    var response = caller.post("/v1/messages", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("no shell among Read");
  }

  @Test
  void what_stands_in_a_conversation_is_read_in_order_from_every_wire_format() throws Exception {
    lane.play(Script.of().atTheEnd(say("ok")));
    var anthropic = ModelClient.anthropicBody("");
    anthropic.set(
        "messages",
        Json.MAPPER.readTree(
            """
            [{"role": "user", "content": [{"type": "text", "text": "ask"}]},
             {"role": "assistant", "content": [
               {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}}]},
             {"role": "user", "content": [
               {"type": "tool_result", "tool_use_id": "1",
                "content": [{"type": "text", "text": "files"}]}]},
             {"role": "system", "content": "steer"}]
            """));
    caller.post("/v1/messages", anthropic);
    var chat = ModelClient.chatBody("");
    chat.set(
        "messages",
        Json.MAPPER.readTree(
            """
            [{"role": "user", "content": [{"type": "text", "text": "ask"}]},
             {"role": "assistant", "content": null, "tool_calls": [
               {"id": "1", "function": {"name": "Bash", "arguments": "{\\"command\\":\\"ls\\"}"}}]},
             {"role": "tool", "tool_call_id": "1", "content": "files"},
             {"role": "system", "content": "steer"}]
            """));
    caller.post("/v1/chat/completions", chat);
    var responses = ModelClient.responsesBody("");
    responses.set(
        "input",
        Json.MAPPER.readTree(
            """
            [{"role": "user", "content": [{"type": "input_text", "text": "ask"}]},
             {"type": "function_call", "call_id": "1", "name": "Bash",
              "arguments": "{\\"command\\":\\"ls\\"}"},
             {"type": "function_call_output", "call_id": "1", "output": "files"},
             {"type": "message", "role": "developer", "content": "steer"}]
            """));
    caller.post("/v1/responses", responses);

    assertThat(lane.requests().all())
        .hasSize(3)
        .allSatisfy(request ->
            assertThat(request.request().conversation())
                .containsExactly(
                    new Message(Message.Role.USER, "ask"),
                    new Message(Message.Role.ASSISTANT, "Bash {\"command\":\"ls\"}"),
                    new Message(Message.Role.TOOL, "files"),
                    new Message(Message.Role.SYSTEM, "steer")));
  }

  @Test
  void a_gemini_conversation_is_read_in_order() throws Exception {
    var body = ModelClient.geminiBody("");
    body.set(
        "contents",
        Json.MAPPER.readTree(
            """
            [{"role": "user", "parts": [{"text": "ask"}]},
             {"role": "model", "parts": [
               {"functionCall": {"name": "Bash", "args": {"command": "ls"}}}]},
             {"role": "user", "parts": [
               {"functionResponse": {"name": "Bash", "response": {"output": "files"}}},
               {"text": "steer"}]}]
            """));

    post("/v1beta/models/scripted:streamGenerateContent", body);

    assertThat(lane.requests().last().request().conversation())
        .containsExactly(
            new Message(Message.Role.USER, "ask"),
            new Message(Message.Role.ASSISTANT, "Bash {\"command\":\"ls\"}"),
            new Message(Message.Role.TOOL, "files"),
            new Message(Message.Role.USER, "steer"));
  }

  private String post(String path, JsonNode body) throws Exception {
    return caller.post(path, body).body();
  }

  private JsonNode json(String path, JsonNode body) throws Exception {
    return Json.MAPPER.readTree(post(path, body));
  }

  private static ObjectNode whole(ObjectNode body) {
    return body.put("stream", false);
  }

  private static String type(JsonNode event) {
    return event.path("type").asString("");
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(WireTest::type).toList();
  }

  /** Returns the texts at this path of the events that have one. */
  private static List<String> texts(List<JsonNode> events, String pointer) {
    return events.stream()
        .map(event -> event.at(pointer))
        .filter(JsonNode::isString)
        .map(JsonNode::asString)
        .filter(text -> !text.isEmpty())
        .toList();
  }
}
