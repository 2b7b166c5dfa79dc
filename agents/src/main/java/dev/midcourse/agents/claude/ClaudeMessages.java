package dev.midcourse.agents.claude;

import dev.midcourse.agents.stdio.ProtocolJson;
import tools.jackson.databind.node.ObjectNode;

/** The lines that are written to Claude Code. */
final class ClaudeMessages {
  private ClaudeMessages() {}

  static String request(String id, String subtype) {
    return request(id, ProtocolJson.object().put("subtype", subtype));
  }

  static String takeBack(String id, String message) {
    return request(
        id,
        ProtocolJson.object().put("subtype", "cancel_async_message").put("message_uuid", message));
  }

  static String interruptAll(String id) {
    return request(
        id, ProtocolJson.object().put("subtype", "interrupt").put("cancel_queued", true));
  }

  private static String request(String id, ObjectNode request) {
    ObjectNode line = ProtocolJson.object().put("type", "control_request").put("request_id", id);
    line.set("request", request);
    return line.toString();
  }

  /** Composed by a client, so that a leading slash is text and no command. */
  static String message(String id, String text) {
    ObjectNode line = ProtocolJson.object().put("type", "user").put("uuid", id);
    line.set("message", ProtocolJson.object().put("role", "user").put("content", text));
    return line.put("client_composed", true).toString();
  }

  static String allow(String ask) {
    return verdict(ask, ProtocolJson.object().put("behavior", "allow"));
  }

  static String deny(String ask, String why) {
    String words = why.isBlank() ? "This was not allowed." : why;
    return verdict(ask, ProtocolJson.object().put("behavior", "deny").put("message", words));
  }

  private static String verdict(String ask, ObjectNode verdict) {
    ObjectNode response = ProtocolJson.object().put("subtype", "success").put("request_id", ask);
    response.set("response", verdict);
    return response(response);
  }

  /** The answer to a request that is not for permission. */
  static String notOffered(String ask) {
    return response(
        ProtocolJson.object()
            .put("subtype", "error")
            .put("request_id", ask)
            .put("error", "Midcourse does not offer this."));
  }

  private static String response(ObjectNode response) {
    ObjectNode line = ProtocolJson.object().put("type", "control_response");
    line.set("response", response);
    return line.toString();
  }
}
