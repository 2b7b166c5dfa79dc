package dev.midcourse.proof.model.wire;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The wire format of a vendor: parses its requests and writes its answers. */
public sealed interface ModelWire permits AnthropicWire, ChatWire, GeminiWire, ResponsesWire {

  List<ModelWire> ALL =
      List.of(new AnthropicWire(), new ResponsesWire(), new ChatWire(), new GeminiWire());

  /** Returns whether a call of this path is a request to the model. */
  boolean asksModel(String path);

  ModelRequest read(String path, JsonNode body);

  /**
   * Returns the reasons why the vendor would refuse a request of this shape; empty if it would
   * accept it.
   */
  List<String> faults(JsonNode body);

  /** Starts the answer, streamed or complete as the request asks. */
  Reply reply(ModelRequest request, Exchange exchange) throws IOException;

  JsonNode error(int status, String message);

  /**
   * Returns the answer to another call of this vendor, such as counting tokens; empty for any other
   * path.
   */
  Optional<JsonNode> other(String path, String body);
}
