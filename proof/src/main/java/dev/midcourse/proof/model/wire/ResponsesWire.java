package dev.midcourse.proof.model.wire;

import static dev.midcourse.proof.model.wire.Json.array;
import static dev.midcourse.proof.model.wire.Json.object;

import dev.midcourse.proof.model.wire.shape.ResponsesShape;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI Responses: {@code POST /v1/responses}, streamed or whole. */
final class ResponsesWire implements ModelWire {

  @Override
  public boolean asksModel(String path) {
    return path.endsWith("/responses");
  }

  @Override
  public ModelRequest read(String path, JsonNode body) {
    var schema = body.path("text").path("format").path("schema");
    var input = body.path("input");
    return new ModelRequest(
        WireKind.OPENAI_RESPONSES,
        body.path("model").asString(""),
        body.path("stream").asBoolean(false),
        Json.each(
            body.path("tools"),
            (tool, list) ->
                list.add(new OfferedTool(tool.path("name").asString(""), tool.path("parameters")))),
        Json.text(body.path("instructions")),
        input.isString()
            ? List.of(new Message(Message.Role.USER, input.asString()))
            : Json.each(input, ResponsesWire::read),
        Json.optional(schema));
  }

  private static void read(JsonNode item, List<Message> into) {
    switch (item.path("type").asString("message")) {
      case "message" ->
          into.add(
              new Message(
                  switch (item.path("role").asString("")) {
                    case "system", "developer" -> Message.Role.SYSTEM;
                    case "assistant" -> Message.Role.ASSISTANT;
                    default -> Message.Role.USER;
                  },
                  Json.text(item.path("content"))));
      case "function_call" ->
          into.add(
              new Message(
                  Message.Role.ASSISTANT,
                  item.path("name").asString("") + " " + item.path("arguments").asString("")));
      case "function_call_output", "custom_tool_call_output" ->
          into.add(new Message(Message.Role.TOOL, Json.text(item.path("output"))));
      default -> into.add(new Message(Message.Role.ASSISTANT, item.path("type").asString("")));
    }
  }

  @Override
  public List<String> faults(JsonNode body) {
    return ResponsesShape.faults(body);
  }

  @Override
  public Reply streamed(ModelRequest request, Exchange exchange) throws IOException {
    return new Streamed(request, exchange.events());
  }

  @Override
  public JsonNode complete(ModelRequest request, List<Block> blocks, ModelUsage usage) {
    var output = array();
    for (var block : blocks) {
      output.add(
          switch (block) {
            case Block.Text(var text) -> message(Ids.next("msg"), text);
            case Block.Call(var id, var tool, var arguments) ->
                call(Ids.next("fc"), id, tool, arguments.toString());
          });
    }
    return response(Ids.next("resp"), request, "completed", output, usage);
  }

  private static ObjectNode message(String id, String text) {
    return object(
        "type", "message",
        "id", id,
        "role", "assistant",
        "status", "completed",
        "content", array(part(text)));
  }

  private static ObjectNode part(String text) {
    return object("type", "output_text", "text", text, "annotations", array());
  }

  private static ObjectNode call(String id, String callId, String tool, String arguments) {
    return object(
        "type", "function_call",
        "id", id,
        "call_id", callId,
        "name", tool,
        "arguments", arguments,
        "status", "completed");
  }

  private static ObjectNode response(
      String id, ModelRequest request, String status, ArrayNode output, ModelUsage usage) {
    var response =
        object(
            "id",
            id,
            "object",
            "response",
            "created_at",
            0,
            "status",
            status,
            "model",
            request.model(),
            "output",
            output);
    if (status.equals("completed")) {
      response.set("usage", usage(usage));
    }
    return response;
  }

  private static ObjectNode usage(ModelUsage usage) {
    return object(
        "input_tokens", usage.allInput(),
        "input_tokens_details", object("cached_tokens", usage.cacheRead()),
        "output_tokens", usage.output(),
        "output_tokens_details", object("reasoning_tokens", 0),
        "total_tokens", usage.allInput() + usage.output());
  }

  @Override
  public JsonNode error(int status, String message) {
    return OpenAiErrors.error(status, message);
  }

  private static final class Streamed extends StreamedReply {
    private final String id = Ids.next("resp");
    private final ArrayNode output = array();
    private final StringBuilder text = new StringBuilder();
    private String messageId = "";
    private int sequence;

    Streamed(ModelRequest request, Exchange.Events events) {
      super(request, events);
    }

    @Override
    void sendStart() throws IOException {
      for (var type : List.of("response.created", "response.in_progress")) {
        send(type, object("response", response(id, request, "in_progress", array(), usage())));
      }
    }

    @Override
    public void text(String piece) throws IOException {
      if (messageId.isEmpty()) {
        openMessage();
      }
      text.append(piece);
      send("response.output_text.delta", inMessage("delta", piece));
    }

    @Override
    public void call(String callId, String tool, ObjectNode arguments) throws IOException {
      closeMessage();
      var itemId = Ids.next("fc");
      var open = ResponsesWire.call(itemId, callId, tool, "");
      open.put("status", "in_progress");
      send("response.output_item.added", item(open));
      send("response.function_call_arguments.delta", inItem(itemId, "delta", arguments));
      send("response.function_call_arguments.done", inItem(itemId, "arguments", arguments));
      done(ResponsesWire.call(itemId, callId, tool, arguments.toString()));
    }

    @Override
    void sendEnd() throws IOException {
      closeMessage();
      send(
          "response.completed",
          object("response", response(id, request, "completed", output, usage())));
    }

    private void openMessage() throws IOException {
      messageId = Ids.next("msg");
      var open = message(messageId, "");
      open.put("status", "in_progress");
      open.set("content", array());
      send("response.output_item.added", item(open));
      send("response.content_part.added", inMessage("part", part("")));
    }

    private void closeMessage() throws IOException {
      if (messageId.isEmpty()) {
        return;
      }
      var whole = text.toString();
      send("response.output_text.done", inMessage("text", whole));
      send("response.content_part.done", inMessage("part", part(whole)));
      done(message(messageId, whole));
      messageId = "";
      text.setLength(0);
    }

    private void done(ObjectNode item) throws IOException {
      send("response.output_item.done", item(item));
      output.add(item);
    }

    private ObjectNode item(ObjectNode item) {
      return object("output_index", output.size(), "item", item);
    }

    private ObjectNode inMessage(String name, Object value) {
      return object(
          "item_id", messageId, "output_index", output.size(), "content_index", 0, name, value);
    }

    private ObjectNode inItem(String itemId, String name, ObjectNode arguments) {
      return object("item_id", itemId, "output_index", output.size(), name, arguments.toString());
    }

    private void send(String type, ObjectNode event) throws IOException {
      event.put("type", type);
      event.put("sequence_number", sequence++);
      events.send(type, event);
    }
  }
}
