package dev.midcourse.proof.model.wire.shape;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Finds faults that OpenAI refuses in the input of a response: a tool call without its output after
 * it, an output without its call, a message without content.
 */
public final class ResponsesShape {
  private ResponsesShape() {}

  public static List<String> faults(JsonNode body) {
    var calls = new OpenCalls();
    var input = body.path("input");
    if (input.isString() ? input.asString().isBlank() : input.isEmpty()) {
      calls.fault("there is no input");
    }
    for (int i = 0; i < input.size(); i++) {
      read(i, input.get(i), calls);
    }
    calls.mustBeAnswered("behind it");
    return calls.faults();
  }

  private static void read(int number, JsonNode item, OpenCalls calls) {
    var type = item.path("type").asString("message");
    var content = item.path("content");
    if (type.endsWith("_call_output")) {
      calls.result(item.path("call_id").asString(""));
    } else if (type.endsWith("_call") && item.has("call_id")) {
      calls.call(item.path("call_id").asString(""));
    } else if (type.equals("message")
        && (content.isString() ? content.asString().isBlank() : content.isEmpty())) {
      calls.fault("item " + number + " is empty");
    }
  }
}
