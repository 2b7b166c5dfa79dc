package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.Json;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import tools.jackson.databind.JsonNode;

/** How a turn ended, by the reason with which its prompt is answered. */
final class AcpEnds {
  private AcpEnds() {}

  static TurnEnded of(JsonNode result) {
    String reason = Json.text(result, "stopReason");
    TurnEnd how =
        switch (reason) {
          case "end_turn" -> TurnEnd.COMPLETED;
          case "cancelled" -> TurnEnd.INTERRUPTED;
          default -> TurnEnd.ERROR; // max_tokens, max_turn_requests, refusal, and what may come
        };
    return new TurnEnded(how, reason, "");
  }
}
