package dev.midcourse.agents.claude;

import dev.midcourse.core.run.Usage;
import tools.jackson.databind.JsonNode;

/**
 * What a result says was used. Claude Code counts from the session's beginning, over all its
 * processes; newer versions also say what is new, which is the better word.
 *
 * @param more what was used since the result before
 * @param total what the session has used in all
 */
record ClaudeUsage(Usage more, Usage total) {

  static ClaudeUsage of(JsonNode result, ClaudeMemo memo) {
    Usage total = sum(result.path("modelUsage"));
    JsonNode news = result.path("model_usage_since_last_result");
    if (news.isObject()) {
      return new ClaudeUsage(sum(news), total);
    }
    // In a resumed session what went before is not known: the tokens of this turn are, its cost
    // is not.
    return new ClaudeUsage(
        memo.known() ? difference(total, memo.total()) : ofTurn(result.path("usage")), total);
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
