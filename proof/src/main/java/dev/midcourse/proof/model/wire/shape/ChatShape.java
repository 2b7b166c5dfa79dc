package dev.midcourse.proof.model.wire.shape;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Finds faults that OpenAI and compatible vendors refuse in the messages of a chat: a tool call
 * that the next messages do not answer, an answer without its call, a message without content.
 */
public final class ChatShape {
  private ChatShape() {}

  public static List<String> faults(JsonNode body) {
    var calls = new OpenCalls();
    var messages = body.path("messages");
    if (messages.isEmpty()) {
      calls.fault("there are no messages");
    }
    for (int i = 0; i < messages.size(); i++) {
      read(i, messages.get(i), calls);
    }
    calls.mustBeAnswered("right after it");
    return calls.faults();
  }

  private static void read(int number, JsonNode message, OpenCalls calls) {
    var role = message.path("role").asString("");
    if (role.equals("tool")) {
      calls.result(message.path("tool_call_id").asString(""));
      return;
    }
    calls.mustBeAnswered("right after it");
    message.path("tool_calls").forEach(call -> calls.call(call.path("id").asString("")));
    var content = message.path("content");
    boolean empty = content.isString() ? content.asString().isBlank() : content.isEmpty();
    if (empty && message.path("tool_calls").isEmpty()) {
      calls.fault("message " + number + " of the " + role + " is empty");
    }
  }
}
