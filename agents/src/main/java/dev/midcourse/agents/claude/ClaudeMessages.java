package dev.midcourse.agents.claude;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lines that are written to Claude Code in one attempt, and the ids in them. All ids are made
 * from the order alone. The next hub makes the same ids, so Claude Code recognizes a line that is
 * written again and ignores it.
 *
 * @param session the session of the attempt
 * @param base the id of an opening message is this plus the number of its turn
 */
record ClaudeMessages(SessionId session, UUID base) {
  private static final long TURN_BITS = 0xFFFF_FFFFL;

  static ClaudeMessages of(AttemptSpec spec) {
    String attempt = spec.run() + " " + spec.attempt() + " " + spec.mark();
    UUID prompts = named("prompts of " + attempt);
    SessionId session =
        spec.resume().orElseGet(() -> SessionId.of(named("session of " + attempt).toString()));
    return new ClaudeMessages(
        session,
        new UUID(prompts.getMostSignificantBits(), prompts.getLeastSignificantBits() & ~TURN_BITS));
  }

  private static UUID named(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The id of a turn's opening message. */
  String opening(int turn) {
    return new UUID(base.getMostSignificantBits(), base.getLeastSignificantBits() | turn)
        .toString();
  }

  /** The turn that this message opens, if it is an opening of this attempt. */
  OptionalInt turnOf(String message) {
    int lastDash = message.lastIndexOf('-');
    String prefix = opening(0).substring(0, 28);
    if (lastDash < 0 || message.length() != 36 || !message.startsWith(prefix)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Integer.parseUnsignedInt(message.substring(28), 16));
  }

  String prompt(int turn, String text) {
    return message(opening(turn), text);
  }

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

  /** Sets {@code client_composed}, so that a leading slash is text and not a command. */
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

  /** Refuses a request that is not for permission. */
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
