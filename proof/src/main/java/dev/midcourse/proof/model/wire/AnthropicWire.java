package dev.midcourse.proof.model.wire;

import static dev.midcourse.proof.model.wire.Json.array;
import static dev.midcourse.proof.model.wire.Json.object;

import dev.midcourse.proof.model.wire.shape.AnthropicShape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Anthropic Messages: {@code POST /v1/messages}, streamed or whole, and token counts. */
final class AnthropicWire implements ModelWire {

  @Override
  public boolean asksModel(String path) {
    return path.endsWith("/v1/messages");
  }

  @Override
  public ModelRequest read(String path, JsonNode body) {
    var format = body.path("output_config").path("format").path("schema");
    return new ModelRequest(
        WireKind.ANTHROPIC_MESSAGES,
        body.path("model").asString(""),
        body.path("stream").asBoolean(false),
        Json.each(
            body.path("tools"),
            (tool, list) ->
                list.add(
                    new OfferedTool(tool.path("name").asString(""), tool.path("input_schema")))),
        Json.text(body.path("system")),
        Json.each(body.path("messages"), AnthropicWire::read),
        Json.optional(format));
  }

  private static void read(JsonNode message, List<Message> into) {
    var role = role(message.path("role").asString(""));
    var content = message.path("content");
    if (content.isString()) {
      into.add(new Message(role, content.asString()));
      return;
    }
    for (var block : content) {
      switch (block.path("type").asString("")) {
        case "text" -> into.add(new Message(role, block.path("text").asString("")));
        case "tool_result" ->
            into.add(new Message(Message.Role.TOOL, Json.text(block.path("content"))));
        case "tool_use" ->
            into.add(
                new Message(role, block.path("name").asString("") + " " + block.path("input")));
        default -> into.add(new Message(role, block.path("type").asString("")));
      }
    }
  }

  private static Message.Role role(String name) {
    return switch (name) {
      case "assistant" -> Message.Role.ASSISTANT;
      case "system" -> Message.Role.SYSTEM;
      default -> Message.Role.USER;
    };
  }

  @Override
  public List<String> faults(JsonNode body) {
    return AnthropicShape.faults(body);
  }

  @Override
  public Reply streamed(ModelRequest request, Exchange exchange) throws IOException {
    return new Streamed(request, exchange.events());
  }

  @Override
  public JsonNode complete(ModelRequest request, List<Block> blocks, ModelUsage usage) {
    boolean calls = blocks.stream().anyMatch(Block.Call.class::isInstance);
    var message = message(request, usage, usage.output());
    var content = array();
    for (var block : blocks) {
      content.add(
          switch (block) {
            case Block.Text(var text) -> object("type", "text", "text", text);
            case Block.Call(var id, var tool, var arguments) ->
                object("type", "tool_use", "id", id, "name", tool, "input", arguments);
          });
    }
    message.set("content", content);
    message.put("stop_reason", calls ? "tool_use" : "end_turn");
    return message;
  }

  private static ObjectNode message(ModelRequest request, ModelUsage usage, int output) {
    var message =
        object(
            "id", Ids.next("msg"),
            "type", "message",
            "role", "assistant",
            "model", request.model(),
            "content", array(),
            "usage", usage(usage, output));
    message.putNull("stop_reason");
    message.putNull("stop_sequence");
    return message;
  }

  private static ObjectNode usage(ModelUsage usage, int output) {
    return object(
        "input_tokens", usage.input(),
        "cache_creation_input_tokens", usage.cacheWrite(),
        "cache_read_input_tokens", usage.cacheRead(),
        "output_tokens", output);
  }

  @Override
  public JsonNode error(int status, String message) {
    var type =
        switch (status) {
          case 400 -> "invalid_request_error";
          case 401 -> "authentication_error";
          case 403 -> "permission_error";
          case 404 -> "not_found_error";
          case 429 -> "rate_limit_error";
          case 529 -> "overloaded_error";
          default -> "api_error";
        };
    return object("type", "error", "error", object("type", type, "message", message));
  }

  @Override
  public Optional<JsonNode> other(String path, String body) {
    return path.endsWith("/v1/messages/count_tokens")
        ? Optional.of(object("input_tokens", body.length() / 4))
        : Optional.empty();
  }

  private static final class Streamed extends StreamedReply {
    private int block = -1;
    private boolean textIsOpen;
    private boolean called;

    Streamed(ModelRequest request, Exchange.Events events) {
      super(request, events);
    }

    @Override
    void sendStart() throws IOException {
      send("message_start", object("message", message(request, usage(), 1)));
    }

    @Override
    public void text(String piece) throws IOException {
      if (!textIsOpen) {
        open(object("type", "text", "text", ""));
        textIsOpen = true;
      }
      delta(object("type", "text_delta", "text", piece));
    }

    @Override
    public void call(String id, String tool, ObjectNode arguments) throws IOException {
      closeText();
      called = true;
      open(object("type", "tool_use", "id", id, "name", tool, "input", object()));
      delta(object("type", "input_json_delta", "partial_json", arguments.toString()));
      close();
    }

    @Override
    void sendEnd() throws IOException {
      closeText();
      var delta = object("stop_reason", called ? "tool_use" : "end_turn");
      delta.putNull("stop_sequence");
      send(
          "message_delta",
          object("delta", delta, "usage", AnthropicWire.usage(usage(), usage().output())));
      send("message_stop", object());
    }

    private void closeText() throws IOException {
      if (textIsOpen) {
        close();
        textIsOpen = false;
      }
    }

    private void open(ObjectNode content) throws IOException {
      block++;
      send("content_block_start", object("index", block, "content_block", content));
    }

    private void delta(ObjectNode delta) throws IOException {
      send("content_block_delta", object("index", block, "delta", delta));
    }

    private void close() throws IOException {
      send("content_block_stop", object("index", block));
    }

    private void send(String type, ObjectNode event) throws IOException {
      event.put("type", type);
      events.send(type, event);
    }
  }
}
