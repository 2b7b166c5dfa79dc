package dev.midcourse.gateway.record;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Instant;

/** A request has begun to arrive. What it was follows in a {@link RequestRecord}. */
public record BeginRecord(long number, Instant at) implements GatewayRecord {
  static final String KIND = "begin";

  @Override
  public Obj json() {
    return JsonValue.object().with("kind", KIND).with("n", number).with("at", at.toString());
  }

  static BeginRecord of(Obj json) {
    return new BeginRecord(
        json.number("n").orElseThrow(), Instant.parse(json.string("at").orElseThrow()));
  }
}
