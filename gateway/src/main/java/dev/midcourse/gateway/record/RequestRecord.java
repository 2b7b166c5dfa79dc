package dev.midcourse.gateway.record;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.gateway.read.PresentSteer;
import dev.midcourse.gateway.read.RequestClass;
import dev.midcourse.gateway.read.SteerPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a request was. Written when the model has begun to answer it, or when it has ended without
 * that. There are no headers, keys or texts in it.
 *
 * @param main the number among the main requests; empty for another class
 * @param certain whether the agent itself names the class
 * @param status the status of the response; 0 if there was none
 * @param answered whether the provider answered with a success and the model has begun to answer
 * @param message the provider's id of the answer
 * @param providerRequest the provider's id of the request
 * @param missing steers that were in the main request before and are not in this one
 * @param partial the body has only what is new, so a missing steer says nothing
 * @param headMillis from the first byte of the request to the head of the response
 * @param firstEventMillis from the first byte of the request to the first event of the model
 */
public record RequestRecord(
    long number,
    OptionalLong main,
    Instant at,
    RequestClass kind,
    boolean certain,
    String wire,
    Optional<String> model,
    Optional<String> session,
    Optional<String> turn,
    long bytes,
    Optional<String> sha256,
    int status,
    boolean answered,
    Optional<String> message,
    Optional<String> providerRequest,
    List<PresentSteer> steers,
    List<SteerId> missing,
    boolean afterCompaction,
    boolean partial,
    OptionalLong headMillis,
    OptionalLong firstEventMillis)
    implements GatewayRecord {
  static final String KIND = "request";

  public RequestRecord {
    steers = List.copyOf(steers);
    missing = List.copyOf(missing);
  }

  /** Returns whether the request proves that the model was given its steers. */
  public boolean proves() {
    return kind == RequestClass.MAIN && answered;
  }

  /** Returns the evidence for the rung {@code seen}, as people read it. */
  public String evidence() {
    StringBuilder text = new StringBuilder("request ").append(number);
    main.ifPresent(n -> text.append(" (main ").append(n).append(')'));
    message.or(() -> providerRequest).ifPresent(id -> text.append(", ").append(id));
    text.append(", ").append(status);
    return text.append(certain ? "" : ", class concluded").toString();
  }

  @Override
  public Obj json() {
    List<JsonValue> present = new ArrayList<>();
    for (PresentSteer steer : steers) {
      present.add(
          JsonValue.object().with("id", steer.steer().value()).with("place", steer.place().wire()));
    }
    Obj json =
        JsonValue.object()
            .with("kind", KIND)
            .with("n", number)
            .with("at", at.toString())
            .with("class", kind.wire())
            .with("certain", certain)
            .with("wire", wire)
            .with("model", model)
            .with("session", session)
            .with("turn", turn)
            .with("bytes", bytes)
            .with("sha256", sha256)
            .with("status", status)
            .with("answered", answered)
            .with("message", message)
            .with("provider_request", providerRequest)
            .with("steers", new JsonValue.Arr(present))
            .with("missing", JsonValue.strings(missing.stream().map(SteerId::value).toList()))
            .with("after_compaction", afterCompaction)
            .with("partial", partial);
    json = with(json, "main", main);
    json = with(json, "head_ms", headMillis);
    return with(json, "first_event_ms", firstEventMillis);
  }

  static RequestRecord of(Obj json) {
    return new RequestRecord(
        json.number("n").orElseThrow(),
        number(json, "main"),
        Instant.parse(json.string("at").orElseThrow()),
        RequestClass.parse(json.string("class").orElseThrow()),
        json.is("certain"),
        json.string("wire").orElseThrow(),
        json.string("model"),
        json.string("session"),
        json.string("turn"),
        json.number("bytes").orElseThrow(),
        json.string("sha256"),
        json.number("status").orElseThrow().intValue(),
        json.is("answered"),
        json.string("message"),
        json.string("provider_request"),
        json.objects("steers").stream().map(RequestRecord::steer).toList(),
        json.texts("missing").stream().map(SteerId::of).toList(),
        json.is("after_compaction"),
        json.is("partial"),
        number(json, "head_ms"),
        number(json, "first_event_ms"));
  }

  private static PresentSteer steer(Obj json) {
    return new PresentSteer(
        SteerId.of(json.string("id").orElseThrow()),
        SteerPlace.parse(json.string("place").orElseThrow()));
  }

  static Obj with(Obj json, String name, OptionalLong value) {
    return value.isPresent() ? json.with(name, value.getAsLong()) : json;
  }

  static OptionalLong number(Obj json, String name) {
    return json.number(name).map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }
}
