package dev.midcourse.agents.acp;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.run.Usage;
import java.math.BigDecimal;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a turn used. Tokens are believed only where an agent tells them as the turn's own ({@code
 * _meta.quota}): the field beside it is the last step's with one agent, the session's with another.
 * Money is told as the session's sum, which goes on over a resume: there the first turn's is not
 * known.
 */
final class AcpUsage {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  private AcpUsage() {}

  /** Remembers the session's sum. */
  static void heard(JsonNode update, AcpMemo memo) {
    JsonNode cost = update.path("cost");
    if (cost.path("amount").isNumber() && cost.path("currency").asString("").equals("USD")) {
      memo.costNow = cost.path("amount").decimalValue().multiply(MILLION).longValue();
    }
  }

  static Optional<AgentEvent> of(JsonNode result, AcpMemo memo) {
    JsonNode tokens = result.at("/_meta/quota/token_count");
    long money = memo.costKnown ? Math.max(0, memo.costNow - memo.microDollars) : 0;
    if (memo.costNow > 0) {
      memo.microDollars = memo.costNow;
      memo.costKnown = true;
    }
    Usage spent =
        new Usage(
            count(tokens, "input_tokens", "inputTokens"),
            count(tokens, "output_tokens", "outputTokens"),
            money);
    return spent.equals(Usage.NOTHING) ? Optional.empty() : Optional.of(new AgentEvent.Used(spent));
  }

  private static long count(JsonNode tokens, String oneName, String other) {
    return tokens.path(oneName).asLong(tokens.path(other).asLong(0));
  }
}
