package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.agent.Usage;
import java.math.BigDecimal;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * The result of a turn, from the answer to its prompt.
 *
 * <p>Tokens are counted only if the agent reports them for the turn ({@code _meta.quota}). The
 * field beside it is not used: one agent counts the last step in it, another agent the session.
 * Agents report the cost as the sum of the session, and the sum continues after a resume. So the
 * cost of the first turn after a resume is not known.
 *
 * @param end how the turn ended, without its text
 * @param used the usage of the turn
 */
record AcpTurnResult(TurnEnded end, Usage used) {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  static AcpTurnResult of(JsonNode result, AcpMemo.Cost cost) {
    JsonNode tokens = result.at("/_meta/quota/token_count");
    Usage used =
        new Usage(
            count(tokens, "input_tokens", "inputTokens"),
            count(tokens, "output_tokens", "outputTokens"),
            cost.ofTurn());
    return new AcpTurnResult(end(result), used);
  }

  private static TurnEnded end(JsonNode result) {
    String reason = ProtocolJson.text(result, "stopReason");
    TurnEnd how =
        switch (reason) {
          case "end_turn" -> TurnEnd.COMPLETED;
          case "cancelled" -> TurnEnd.INTERRUPTED;
          default ->
              TurnEnd
                  .ERROR; // max_tokens, max_turn_requests, refusal, and reasons of later versions
        };
    return new TurnEnded(how, reason, "");
  }

  private static long count(JsonNode tokens, String oneName, String other) {
    return tokens.path(oneName).asLong(tokens.path(other).asLong(0));
  }

  /** The cost of the session in millionths of a US dollar, if the update has it. */
  static OptionalLong sum(JsonNode update) {
    JsonNode cost = update.path("cost");
    return cost.path("amount").isNumber() && cost.path("currency").asString("").equals("USD")
        ? OptionalLong.of(cost.path("amount").decimalValue().multiply(MILLION).longValue())
        : OptionalLong.empty();
  }
}
