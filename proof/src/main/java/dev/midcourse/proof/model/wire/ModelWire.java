package dev.midcourse.proof.model.wire;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The wire format of a vendor: parses its requests and writes its answers. */
public sealed interface ModelWire permits AnthropicWire, ChatWire, GeminiWire, ResponsesWire {

  static List<ModelWire> all() {
    return List.of(new AnthropicWire(), new ResponsesWire(), new ChatWire(), new GeminiWire());
  }

  /** Returns whether a call of this path is a request to the model. */
  boolean asksModel(String path);

  ModelRequest read(String path, JsonNode body);

  /**
   * Returns the reasons why the vendor would refuse a request of this shape; empty if it would
   * accept it.
   */
  List<String> faults(JsonNode body);

  /** Starts the answer, streamed or complete as the request asks. */
  default Reply reply(ModelRequest request, Exchange exchange) throws IOException {
    return request.stream()
        ? streamed(request, exchange)
        : new WholeReply(exchange, (blocks, usage) -> complete(request, blocks, usage));
  }

  /** Starts an answer as a stream of events. */
  Reply streamed(ModelRequest request, Exchange exchange) throws IOException;

  /** Returns a complete answer as one JSON value. */
  JsonNode complete(ModelRequest request, List<Block> blocks, ModelUsage usage);

  JsonNode error(int status, String message);

  /**
   * Returns the answer to another call of this vendor, such as counting tokens; empty for any other
   * path.
   */
  default Optional<JsonNode> other(String path, String body) {
    return Optional.empty();
  }
}
