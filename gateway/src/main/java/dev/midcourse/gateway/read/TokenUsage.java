package dev.midcourse.gateway.read;

import dev.midcourse.core.json.JsonValue.Obj;
import java.util.Optional;

/**
 * The tokens of one request in the same terms for all providers.
 *
 * @param input tokens of the input that came neither from a cache nor went into one
 * @param cacheRead tokens that came from a cache
 * @param cacheWrite tokens that were written to a cache
 * @param output tokens of the output, reasoning included
 */
public record TokenUsage(long input, long cacheRead, long cacheWrite, long output) {

  /** Reads the object {@code usage} of Anthropic; fields that are missing keep their values. */
  static TokenUsage anthropic(Obj usage, Optional<TokenUsage> before) {
    TokenUsage old = before.orElse(new TokenUsage(0, 0, 0, 0));
    return new TokenUsage(
        usage.number("input_tokens").orElse(old.input),
        usage.number("cache_read_input_tokens").orElse(old.cacheRead),
        usage.number("cache_creation_input_tokens").orElse(old.cacheWrite),
        usage.number("output_tokens").orElse(old.output));
  }

  /** Their input includes the tokens from the cache. */
  static TokenUsage responses(Obj usage) {
    Obj details = usage.object("input_tokens_details");
    long read = details.number("cached_tokens").orElse(0L);
    long write = details.number("cache_write_tokens").orElse(0L);
    return new TokenUsage(
        Math.max(0, usage.number("input_tokens").orElse(0L) - read - write),
        read,
        write,
        usage.number("output_tokens").orElse(0L));
  }

  /** Their input includes the tokens from the cache. */
  static TokenUsage chat(Obj usage) {
    long read = usage.object("prompt_tokens_details").number("cached_tokens").orElse(0L);
    return new TokenUsage(
        Math.max(0, usage.number("prompt_tokens").orElse(0L) - read),
        read,
        0,
        usage.number("completion_tokens").orElse(0L));
  }

  /** Their input includes the tokens from the cache; thoughts are counted apart. */
  static TokenUsage gemini(Obj usage) {
    long read = usage.number("cachedContentTokenCount").orElse(0L);
    return new TokenUsage(
        Math.max(0, usage.number("promptTokenCount").orElse(0L) - read),
        read,
        0,
        usage.number("candidatesTokenCount").orElse(0L)
            + usage.number("thoughtsTokenCount").orElse(0L));
  }
}
