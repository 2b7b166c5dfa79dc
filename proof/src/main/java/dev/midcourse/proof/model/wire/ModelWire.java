package dev.midcourse.proof.model.wire;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A vendor's wire format: reads its requests and writes answers as that vendor does. */
public sealed interface ModelWire permits AnthropicWire, ChatWire, GeminiWire, ResponsesWire {

  List<ModelWire> ALL =
      List.of(new AnthropicWire(), new ResponsesWire(), new ChatWire(), new GeminiWire());

  /** Whether a call of this path is a request to the model. */
  boolean asksModel(String path);

  ModelRequest read(String path, JsonNode body);

  /** Why the vendor would refuse a request of this shape; empty when it would not. */
  List<String> faults(JsonNode body);

  /** Begins the answer, streamed or whole as the request wants it. */
  Reply reply(ModelRequest request, Exchange exchange) throws IOException;

  JsonNode error(int status, String message);

  /** The answer to another call of this vendor (counting tokens, say), if this is one. */
  Optional<JsonNode> other(String path, String body);
}
