package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import tools.jackson.databind.JsonNode;

/** How a turn ended, by the reason with which its prompt is answered. */
final class AcpTurnEnd {
  private AcpTurnEnd() {}

  static TurnEnded of(JsonNode result) {
    String reason = ProtocolJson.text(result, "stopReason");
    TurnEnd how =
        switch (reason) {
          case "end_turn" -> TurnEnd.COMPLETED;
          case "cancelled" -> TurnEnd.INTERRUPTED;
          default -> TurnEnd.ERROR; // max_tokens, max_turn_requests, refusal, and what may come
        };
    return new TurnEnded(how, reason, "");
  }
}
