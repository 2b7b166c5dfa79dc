package dev.midcourse.proof.model.wire.shape;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Finds faults that Anthropic refuses in a conversation: a tool call without its result at the
 * start of the next message; a result without its call; empty or blank content. Consecutive
 * messages of the same role count as one.
 */
public final class AnthropicShape {
  private final OpenCalls calls = new OpenCalls();
  private String role = "";
  private boolean wordsOfUser;

  private AnthropicShape() {}

  public static List<String> faults(JsonNode body) {
    var shape = new AnthropicShape();
    var messages = body.path("messages");
    if (messages.isEmpty()) {
      shape.calls.fault("there are no messages");
    }
    for (int i = 0; i < messages.size(); i++) {
      shape.read(i, messages.get(i), i == messages.size() - 1);
    }
    shape.calls.mustBeAnswered("at the end");
    return shape.calls.faults();
  }

  private void read(int number, JsonNode message, boolean last) {
    var from = message.path("role").asString("");
    if (!from.equals("system") && !from.equals(role)) {
      if (from.equals("assistant")) {
        calls.mustBeAnswered("in the message after it");
      }
      role = from;
      wordsOfUser = false;
    }
    var content = message.path("content");
    boolean mayBeEmpty = last && from.equals("assistant");
    if (content.isString() ? content.asString().isBlank() : content.isEmpty()) {
      if (!mayBeEmpty) {
        calls.fault("message " + number + " is empty");
      }
    }
    wordsOfUser |= content.isString();
    for (var block : content) {
      read(number, block);
    }
  }

  private void read(int number, JsonNode block) {
    switch (block.path("type").asString("")) {
      case "tool_use" -> calls.call(block.path("id").asString(""));
      case "tool_result" -> {
        if (wordsOfUser) {
          calls.fault("message " + number + " has a result behind other content");
        }
        calls.result(block.path("tool_use_id").asString(""));
      }
      case "text" -> {
        wordsOfUser = true;
        if (block.path("text").asString("").isBlank()) {
          calls.fault("message " + number + " has a blank text");
        }
      }
      default -> wordsOfUser = true;
    }
  }
}
