package dev.midcourse.agents.claude;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.agent.Usage;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The result of a turn.
 *
 * <p>The reason that a result gives says how the turn ended. Its subtype does not: it is "success"
 * for errors and for interrupted turns too. Claude Code counts its usage from the beginning of the
 * session, over all processes. Newer versions also report the usage since the last result, which is
 * more exact.
 *
 * @param end how the turn ended
 * @param more the usage since the result before
 * @param total the usage of the whole session
 */
record ClaudeTurnResult(TurnEnded end, Usage more, Usage total) {

  static ClaudeTurnResult of(JsonNode result, ClaudeMemo memo) {
    Usage total = sum(result.path("modelUsage"));
    return new ClaudeTurnResult(end(result), more(result, total, memo), total);
  }

  private static TurnEnded end(JsonNode result) {
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

  private static Usage more(JsonNode result, Usage total, ClaudeMemo memo) {
    JsonNode news = result.path("model_usage_since_last_result");
    if (news.isObject()) {
      return sum(news);
    }
    // The total before a resumed session is not known: the tokens of this turn are, its cost is
    // not.
    return memo.known() ? difference(total, memo.total()) : ofTurn(result.path("usage"));
  }

  private static Usage sum(JsonNode models) {
    Usage sum = Usage.NOTHING;
    for (JsonNode model : models) {
      long input =
          model.path("inputTokens").asLong()
              + model.path("cacheReadInputTokens").asLong()
              + model.path("cacheCreationInputTokens").asLong();
      long microDollars = Math.round(model.path("costUSD").asDouble() * 1_000_000);
      sum = sum.plus(new Usage(input, model.path("outputTokens").asLong(), microDollars));
    }
    return sum;
  }

  private static Usage ofTurn(JsonNode usage) {
    long input =
        usage.path("input_tokens").asLong()
            + usage.path("cache_read_input_tokens").asLong()
            + usage.path("cache_creation_input_tokens").asLong();
    return new Usage(input, usage.path("output_tokens").asLong(), 0);
  }

  private static Usage difference(Usage now, Usage before) {
    return new Usage(
        now.inputTokens() - before.inputTokens(),
        now.outputTokens() - before.outputTokens(),
        now.microDollars() - before.microDollars());
  }
}
