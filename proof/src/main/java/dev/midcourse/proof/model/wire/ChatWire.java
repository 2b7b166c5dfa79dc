package dev.midcourse.proof.model.wire;

import static dev.midcourse.proof.model.wire.Json.array;
import static dev.midcourse.proof.model.wire.Json.object;

import dev.midcourse.proof.model.wire.shape.ChatShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI Chat Completions: {@code POST /v1/chat/completions}, streamed or whole. */
final class ChatWire implements ModelWire {

  @Override
  public boolean asksModel(String path) {
    return path.endsWith("/chat/completions");
  }

  @Override
  public ModelRequest read(String path, JsonNode body) {
    List<Message> messages = Json.each(body.path("messages"), ChatWire::read);
    var instructions = new ArrayList<String>();
    while (!messages.isEmpty() && messages.getFirst().role() == Message.Role.SYSTEM) {
      instructions.add(messages.removeFirst().text());
    }
    var schema = body.path("response_format").path("json_schema").path("schema");
    return new ModelRequest(
        WireKind.OPENAI_CHAT,
        body.path("model").asString(""),
        body.path("stream").asBoolean(false),
        Json.each(
            body.path("tools"),
            (tool, list) ->
                list.add(
                    new OfferedTool(
                        tool.path("function").path("name").asString(""),
                        tool.path("function").path("parameters")))),
        String.join("\n", instructions),
        messages,
        Json.optional(schema));
  }

  private static void read(JsonNode message, List<Message> into) {
    var role =
        switch (message.path("role").asString("")) {
          case "system", "developer" -> Message.Role.SYSTEM;
          case "assistant" -> Message.Role.ASSISTANT;
          case "tool" -> Message.Role.TOOL;
          default -> Message.Role.USER;
        };
    var text = Json.text(message.path("content"));
    if (!text.isEmpty() || !message.has("tool_calls")) {
      into.add(new Message(role, text));
    }
    for (var call : message.path("tool_calls")) {
      var function = call.path("function");
      into.add(
          new Message(
              role,
              function.path("name").asString("") + " " + function.path("arguments").asString("")));
    }
  }

  @Override
  public List<String> faults(JsonNode body) {
    return ChatShape.faults(body);
  }

  @Override
  public Reply streamed(ModelRequest request, Exchange exchange) throws IOException {
    return new Streamed(request, exchange.events());
  }

  @Override
  public JsonNode complete(ModelRequest request, List<Block> blocks, ModelUsage usage) {
    var text = new StringBuilder();
    var calls = array();
    for (var block : blocks) {
      switch (block) {
        case Block.Text(var more) -> text.append(more);
        case Block.Call(var id, var tool, var arguments) -> calls.add(call(id, tool, arguments));
      }
    }
    var message = object("role", "assistant", "content", text.toString());
    if (!calls.isEmpty()) {
      message.set("tool_calls", calls);
    }
    var choice = object("index", 0, "message", message, "finish_reason", finish(!calls.isEmpty()));
    return object(
        "id", Ids.next("chatcmpl"),
        "object", "chat.completion",
        "created", 0,
        "model", request.model(),
        "choices", array(choice),
        "usage", usage(usage));
  }

  private static ObjectNode call(String id, String tool, ObjectNode arguments) {
    return object(
        "id",
        id,
        "type",
        "function",
        "function",
        object("name", tool, "arguments", arguments.toString()));
  }

  private static String finish(boolean called) {
    return called ? "tool_calls" : "stop";
  }

  private static ObjectNode usage(ModelUsage usage) {
    return object(
        "prompt_tokens", usage.allInput(),
        "completion_tokens", usage.output(),
        "total_tokens", usage.allInput() + usage.output(),
        "prompt_tokens_details", object("cached_tokens", usage.cacheRead()));
  }

  @Override
  public JsonNode error(int status, String message) {
    return OpenAiErrors.error(status, message);
  }

  @Override
  public Optional<JsonNode> other(String path, String body) {
    return path.endsWith("/v1/models")
        ? Optional.of(
            object("object", "list", "data", array(object("id", "scripted", "object", "model"))))
        : Optional.empty();
  }

  private static final class Streamed extends StreamedReply {
    private final String id = Ids.next("chatcmpl");
    private int calls;

    Streamed(ModelRequest request, Exchange.Events events) {
      super(request, events);
    }

    @Override
    void sendStart() throws IOException {
      delta(object("role", "assistant", "content", ""));
    }

    @Override
    public void text(String piece) throws IOException {
      delta(object("content", piece));
    }

    @Override
    public void call(String callId, String tool, ObjectNode arguments) throws IOException {
      var call = ChatWire.call(callId, tool, arguments);
      call.put("index", calls++);
      delta(object("tool_calls", array(call)));
    }

    @Override
    void sendEnd() throws IOException {
      chunk(array(object("index", 0, "delta", object(), "finish_reason", finish(calls > 0))));
      var last = chunkOf(array());
      last.set("usage", ChatWire.usage(usage()));
      events.send(last);
      events.send("[DONE]");
    }

    private void delta(ObjectNode delta) throws IOException {
      var choice = object("index", 0, "delta", delta);
      choice.putNull("finish_reason");
      chunk(array(choice));
    }

    private void chunk(JsonNode choices) throws IOException {
      events.send(chunkOf(choices));
    }

    private ObjectNode chunkOf(JsonNode choices) {
      return object(
          "id",
          id,
          "object",
          "chat.completion.chunk",
          "created",
          0,
          "model",
          request.model(),
          "choices",
          choices);
    }
  }
}
