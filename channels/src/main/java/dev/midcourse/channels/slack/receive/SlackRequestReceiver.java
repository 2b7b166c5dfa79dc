package dev.midcourse.channels.slack.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.http.HttpReceiver.HttpCall;
import dev.midcourse.channels.http.HttpReceiver.HttpReply;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URLDecoder;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes the requests of the Events API, of interactions and of slash commands. Believes only a
 * signed request, and answers with success only when its update is durable.
 */
public final class SlackRequestReceiver {
  private static final Logger LOG = System.getLogger(SlackRequestReceiver.class.getName());
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int UNAVAILABLE = 503;
  private static final int MAX_CHALLENGE = 500;

  private final ChannelSecret secret;
  private final InstantSource clock;
  private final Parts parts;
  private final Consumer<PermanentFailureException> onRevoked;

  public SlackRequestReceiver(
      ChannelSecret secret,
      InstantSource clock,
      Parts parts,
      Consumer<PermanentFailureException> onRevoked) {
    this.secret = secret;
    this.clock = clock;
    this.parts = parts;
    this.onRevoked = onRevoked;
  }

  /** What a request needs; empty until the channel has started and Slack has named the bot. */
  public interface Parts {
    Optional<Ready> ready();

    public record Ready(SlackUpdateReader reader, SlackIngest ingest) {}
  }

  public HttpReply receive(HttpCall call) {
    Optional<String> objection = SlackSignature.objection(secret, call, clock.instant());
    if (objection.isPresent()) {
      return HttpReply.text(UNAUTHORIZED, objection.get());
    }
    Map<String, String> form = form(call);
    Optional<JsonValue.Obj> body = form.isEmpty() ? parse(call.body()) : form(form);
    if (body.isEmpty()) {
      return HttpReply.text(BAD_REQUEST, "the body is neither a JSON object nor a form of Slack");
    }
    if (body.get().string("type").equals(Optional.of("url_verification"))) {
      return HttpReply.text(
          200, SlackText.cut(body.get().string("challenge").orElse(""), MAX_CHALLENGE));
    }
    call.header("x-slack-retry-num")
        .ifPresent(
            number -> LOG.log(Level.DEBUG, "Slack delivers an event again (number {0}).", number));
    return accept(body.get());
  }

  private HttpReply accept(JsonValue.Obj body) {
    Optional<Parts.Ready> ready = parts.ready();
    if (ready.isEmpty()) {
      return HttpReply.text(UNAVAILABLE, "the hub does not take messages yet");
    }
    SlackUpdateReader reader = ready.get().reader();
    SlackUpdate update =
        body.get("event").isPresent()
            ? reader.event(body)
            : body.get("command").isPresent()
                ? reader.command(body, clock.instant())
                : reader.interaction(body, clock.instant());
    try {
      ready.get().ingest().accept(update);
      return HttpReply.text(200, "");
    } catch (PermanentFailureException e) {
      onRevoked.accept(e);
      return HttpReply.text(200, "");
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "An event of Slack could not be stored ({0}); Slack delivers it again.",
          String.valueOf(e.getMessage()));
      return HttpReply.text(UNAVAILABLE, "the update could not be stored");
    }
  }

  /** The payload of an interaction, or the fields of a slash command. */
  private static Optional<JsonValue.Obj> form(Map<String, String> form) {
    if (form.containsKey("payload")) {
      return parse(form.getOrDefault("payload", ""));
    }
    JsonValue.Obj fields = JsonValue.object();
    for (Map.Entry<String, String> field : form.entrySet()) {
      fields = fields.with(field.getKey(), field.getValue());
    }
    return form.containsKey("command") ? Optional.of(fields) : Optional.empty();
  }

  private static Map<String, String> form(HttpCall call) {
    boolean isForm =
        call.header("content-type")
            .filter(type -> type.startsWith("application/x-www-form-urlencoded"))
            .isPresent();
    if (!isForm) {
      return Map.of();
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String pair : call.body().split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        fields.putIfAbsent(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
      }
    }
    return fields;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException broken) {
      return "";
    }
  }

  private static Optional<JsonValue.Obj> parse(String text) {
    try {
      return Optional.of(JsonReader.readObject(text));
    } catch (JsonException notAnObject) {
      return Optional.empty();
    }
  }
}
