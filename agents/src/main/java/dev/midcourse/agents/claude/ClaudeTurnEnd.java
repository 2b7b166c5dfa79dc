package dev.midcourse.agents.claude;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * How a turn ended, by the reason a result gives. Its subtype is no help: it says "success" of
 * errors and of turns that were broken off.
 */
final class ClaudeTurnEnd {
  private ClaudeTurnEnd() {}

  static TurnEnded end(JsonNode result) {
    String text = ProtocolJson.text(result, "result");
    String reason = ProtocolJson.text(result, "terminal_reason");
    return switch (reason) {
      case "completed", "" ->
          result.path("is_error").asBoolean()
              ? new TurnEnded(TurnEnd.ERROR, why(result, reason), "")
              : new TurnEnded(TurnEnd.COMPLETED, reason, text);
      case "aborted_tools", "aborted_streaming" -> new TurnEnded(TurnEnd.INTERRUPTED, reason, text);
      default -> new TurnEnded(TurnEnd.ERROR, why(result, reason), "");
    };
  }

  private static String why(JsonNode result, String reason) {
    String errors =
        result
            .path("errors")
            .valueStream()
            .map(error -> error.isString() ? error.asString() : error.toString())
            .collect(Collectors.joining("; "));
    String text = ProtocolJson.text(result, "result");
    String words = text.isBlank() ? errors : text;
    return reason.isEmpty() || words.isEmpty() ? reason + words : reason + ": " + words;
  }
}
