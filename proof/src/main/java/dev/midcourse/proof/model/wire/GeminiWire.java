package dev.midcourse.proof.model.wire;

import static dev.midcourse.proof.model.wire.Json.array;
import static dev.midcourse.proof.model.wire.Json.object;

import dev.midcourse.proof.model.wire.shape.GeminiShape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Gemini: {@code models/NAME:streamGenerateContent}, {@code :generateContent}, token counts. */
final class GeminiWire implements ModelWire {
  private static final String STREAM = ":streamGenerateContent";
  private static final String WHOLE = ":generateContent";

  @Override
  public boolean asksModel(String path) {
    return path.endsWith(STREAM) || path.endsWith(WHOLE);
  }

  @Override
  public ModelRequest read(String path, JsonNode body) {
    var config = body.path("generationConfig");
    var schema =
        config.has("responseJsonSchema")
            ? config.path("responseJsonSchema")
            : config.path("responseSchema");
    return new ModelRequest(
        WireKind.GEMINI,
        path.substring(path.lastIndexOf('/') + 1, path.lastIndexOf(':')),
        path.endsWith(STREAM),
        Json.each(
            body.path("tools"),
            (tool, list) ->
                tool.path("functionDeclarations").forEach(function -> list.add(offered(function)))),
        Json.text(body.path("systemInstruction").path("parts")),
        Json.each(body.path("contents"), GeminiWire::read),
        Json.optional(schema));
  }

  private static OfferedTool offered(JsonNode function) {
    return new OfferedTool(
        function.path("name").asString(""),
        function.has("parametersJsonSchema")
            ? function.path("parametersJsonSchema")
            : function.path("parameters"));
  }

  private static void read(JsonNode content, List<Message> into) {
    var role =
        content.path("role").asString("").equals("model")
            ? Message.Role.ASSISTANT
            : Message.Role.USER;
    for (var part : content.path("parts")) {
      if (part.has("functionCall")) {
        var call = part.path("functionCall");
        into.add(new Message(role, call.path("name").asString("") + " " + call.path("args")));
      } else if (part.has("functionResponse")) {
        into.add(
            new Message(
                Message.Role.TOOL, responseText(part.path("functionResponse").path("response"))));
      } else {
        into.add(new Message(role, part.path("text").asString("")));
      }
    }
  }

  /** Returns the output as plain text if the response has nothing else; otherwise the document. */
  private static String responseText(JsonNode response) {
    return response.size() == 1 && response.path("output").isString()
        ? response.path("output").asString()
        : response.toString();
  }

  @Override
  public List<String> faults(JsonNode body) {
    return GeminiShape.faults(body);
  }

  @Override
  public Reply streamed(ModelRequest request, Exchange exchange) throws IOException {
    return new Streamed(request, exchange.events());
  }

  @Override
  public JsonNode complete(ModelRequest request, List<Block> blocks, ModelUsage usage) {
    var parts = array();
    for (var block : blocks) {
      parts.add(
          switch (block) {
            case Block.Text(var text) -> object("text", text);
            case Block.Call(var id, var tool, var arguments) -> call(id, tool, arguments);
          });
    }
    return last(request, parts, usage);
  }

  private static ObjectNode call(String id, String tool, ObjectNode arguments) {
    return object("functionCall", object("id", id, "name", tool, "args", arguments));
  }

  private static ObjectNode last(ModelRequest request, ArrayNode parts, ModelUsage usage) {
    var chunk = chunk(request, parts);
    ((ObjectNode) chunk.path("candidates").path(0)).put("finishReason", "STOP");
    chunk.set(
        "usageMetadata",
        object(
            "promptTokenCount", usage.allInput(),
            "cachedContentTokenCount", usage.cacheRead(),
            "candidatesTokenCount", usage.output(),
            "totalTokenCount", usage.allInput() + usage.output()));
    return chunk;
  }

  private static ObjectNode chunk(ModelRequest request, ArrayNode parts) {
    var content = object("role", "model", "parts", parts);
    return object(
        "candidates", array(object("index", 0, "content", content)),
        "modelVersion", request.model());
  }

  @Override
  public JsonNode error(int status, String message) {
    var name =
        switch (status) {
          case 400 -> "INVALID_ARGUMENT";
          case 401 -> "UNAUTHENTICATED";
          case 403 -> "PERMISSION_DENIED";
          case 429 -> "RESOURCE_EXHAUSTED";
          case 503, 529 -> "UNAVAILABLE";
          default -> "INTERNAL";
        };
    return object("error", object("code", status, "message", message, "status", name));
  }

  @Override
  public Optional<JsonNode> other(String path, String body) {
    return path.endsWith(":countTokens")
        ? Optional.of(object("totalTokens", body.length() / 4))
        : Optional.empty();
  }

  private static final class Streamed extends StreamedReply {

    Streamed(ModelRequest request, Exchange.Events events) {
      super(request, events);
    }

    @Override
    public void text(String piece) throws IOException {
      events.send(chunk(request, array(object("text", piece))));
    }

    @Override
    public void call(String id, String tool, ObjectNode arguments) throws IOException {
      events.send(chunk(request, array(GeminiWire.call(id, tool, arguments))));
    }

    @Override
    void sendEnd() throws IOException {
      events.send(last(request, array(object("text", "")), usage()));
    }
  }
}
