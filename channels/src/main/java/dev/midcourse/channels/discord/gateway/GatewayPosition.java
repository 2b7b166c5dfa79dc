package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the stream of the gateway was taken.
 *
 * @param session the session that can be resumed; empty if there is none
 * @param sequence the number of the newest event that was taken
 * @param seen messages up to this one were taken in every channel; empty before the first start
 * @param alive when the channel was last connected
 */
public record GatewayPosition(
    Optional<Session> session, long sequence, Optional<String> seen, Optional<Instant> alive) {
  static final GatewayPosition NONE =
      new GatewayPosition(Optional.empty(), 0, Optional.empty(), Optional.empty());

  /**
   * A session of the gateway.
   *
   * @param url where it is resumed
   * @param bot the id of the bot
   */
  public record Session(String id, String url, String bot) {}

  public GatewayPosition with(Optional<Session> other) {
    return new GatewayPosition(other, other.isEmpty() ? 0 : sequence, seen, alive);
  }

  public GatewayPosition at(long newest) {
    return new GatewayPosition(session, newest, seen, alive);
  }

  public GatewayPosition seen(String message) {
    return seen.isPresent() && !Snowflake.isAfter(message, seen.get())
        ? this
        : new GatewayPosition(session, sequence, Optional.of(message), alive);
  }

  public GatewayPosition alive(Instant now) {
    return new GatewayPosition(session, sequence, seen, Optional.of(now));
  }

  public String write() {
    JsonValue.Obj json =
        JsonValue.object()
            .with("sequence", sequence)
            .with("seen", seen)
            .with("alive", alive.map(Instant::toString));
    return session
        .map(
            open -> json.with("session", open.id()).with("url", open.url()).with("bot", open.bot()))
        .orElse(json)
        .toString();
  }

  /** Reads what {@link #write} wrote; what is not readable is missing. */
  public static GatewayPosition read(String text) {
    JsonValue.Obj json;
    try {
      json = JsonReader.readObject(text);
    } catch (JsonException e) {
      return NONE;
    }
    Optional<Session> session =
        json.string("session")
            .flatMap(id ->
                json.string("url")
                    .flatMap(url -> json.string("bot").map(bot -> new Session(id, url, bot))));
    return new GatewayPosition(
        session,
        json.number("sequence").orElse(0L),
        json.string("seen").filter(Snowflake::isValid),
        json.string("alive").flatMap(GatewayPosition::instant));
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
