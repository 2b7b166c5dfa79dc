package dev.midcourse.gateway.record;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.gateway.pump.ExchangeEnd;
import dev.midcourse.gateway.read.TokenUsage;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a request ended.
 *
 * @param complete whether the answer of the model has its end
 * @param millis from the first byte of the request to the end of the response
 * @param lastEventMillis from the first byte of the request to the last event of the model
 * @param retryAfter what the provider asked for, in its own form
 */
public record ResponseRecord(
    long number,
    ExchangeEnd how,
    int status,
    boolean complete,
    long bytes,
    Optional<TokenUsage> usage,
    Optional<String> error,
    Optional<String> retryAfter,
    long millis,
    OptionalLong lastEventMillis)
    implements GatewayRecord {
  static final String KIND = "response";

  @Override
  public Obj json() {
    Obj json =
        JsonValue.object()
            .with("kind", KIND)
            .with("n", number)
            .with("how", WireNames.name(how))
            .with("status", status)
            .with("complete", complete)
            .with("bytes", bytes)
            .with("error", error)
            .with("retry_after", retryAfter)
            .with("ms", millis);
    if (usage.isPresent()) {
      TokenUsage used = usage.get();
      json =
          json.with(
              "usage",
              JsonValue.object()
                  .with("input", used.input())
                  .with("cache_read", used.cacheRead())
                  .with("cache_write", used.cacheWrite())
                  .with("output", used.output()));
    }
    return RequestRecord.with(json, "last_event_ms", lastEventMillis);
  }

  static ResponseRecord of(Obj json) {
    return new ResponseRecord(
        json.number("n").orElseThrow(),
        WireNames.parse(ExchangeEnd.class, "how", json.string("how").orElseThrow()),
        json.number("status").orElseThrow().intValue(),
        json.is("complete"),
        json.number("bytes").orElseThrow(),
        json.get("usage").map(it -> it instanceof Obj used ? usage(used) : usage(Obj.EMPTY)),
        json.string("error"),
        json.string("retry_after"),
        json.number("ms").orElseThrow(),
        RequestRecord.number(json, "last_event_ms"));
  }

  private static TokenUsage usage(Obj used) {
    return new TokenUsage(
        used.number("input").orElse(0L),
        used.number("cache_read").orElse(0L),
        used.number("cache_write").orElse(0L),
        used.number("output").orElse(0L));
  }
}
