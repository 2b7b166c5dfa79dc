package dev.midcourse.channels.slack.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonValue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;

/** Gives updates to the listener. Returns when an update is durable, or is skipped for ever. */
public final class SlackIngest {
  private static final Logger LOG = System.getLogger(SlackIngest.class.getName());
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);

  private final ChannelName channel;
  private final ChannelListener listener;
  private final SlackClient client;
  private final SlackPosition position;

  public SlackIngest(
      ChannelName channel, ChannelListener listener, SlackClient client, SlackPosition position) {
    this.channel = channel;
    this.listener = listener;
    this.client = client;
    this.position = position;
  }

  /**
   * Takes an update. An exception of the listener means that it is not stored.
   *
   * @throws PermanentFailureException if the update says that the app can no longer be used
   */
  public void accept(SlackUpdate update) throws PermanentFailureException {
    switch (update) {
      case SlackUpdate.Message(InboundMessage message) -> {
        receive(message);
        position.received(message.sentAt());
      }
      case SlackUpdate.Click(ButtonClick click, Optional<String> responseUrl) ->
          click(click, responseUrl);
      case SlackUpdate.Notice(var notice) -> listener.notice(channel, notice);
      case SlackUpdate.Revoked(String reason) ->
          throw new PermanentFailureException(reason, SlackErrors.INSTALL_AGAIN);
      case SlackUpdate.Ignored(String reason) ->
          LOG.log(Level.DEBUG, "The channel {0} ignores an event of Slack: {1}.", channel, reason);
    }
  }

  private void receive(InboundMessage message) {
    try {
      listener.receive(message);
    } catch (RefusedException e) {
      skipOrThrow(e, message.ref().toString());
    }
  }

  private void click(ButtonClick click, Optional<String> responseUrl) {
    try {
      String text = listener.click(click);
      if (!text.isBlank()) {
        responseUrl
            .flatMap(SlackIngest::uri)
            .filter(client::isOfSlack)
            .ifPresent(
                to -> Thread.ofVirtual().name("slack-response").start(() -> respond(to, text)));
      }
    } catch (RefusedException e) {
      skipOrThrow(e, click.card().toString());
    }
  }

  /** An update that is invalid for ever must not block those behind it. */
  private void skipOrThrow(RefusedException e, String what) {
    if (e.problem().code() == Code.UNAVAILABLE) {
      throw e;
    }
    LOG.log(
        Level.WARNING,
        "The channel {0} skips {1}, which cannot be stored: {2}",
        channel,
        what,
        e.description());
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(URI.create(text)).filter(uri -> uri.getHost() != null);
    } catch (IllegalArgumentException notAnAddress) {
      return Optional.empty();
    }
  }

  /** Shows a text to the person who clicked, and to nobody else. */
  private void respond(URI to, String text) {
    JsonValue.Obj body =
        JsonValue.object()
            .with("response_type", "ephemeral")
            .with("replace_original", false)
            .with("text", SlackText.escape(text));
    HttpRequest request =
        HttpRequest.newBuilder(to)
            .header("Content-Type", "application/json; charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString(), UTF_8))
            .build();
    try {
      client.http().send(request, RESPONSE_TIMEOUT);
    } catch (PlatformException | InterruptedException e) {
      LOG.log(
          Level.DEBUG,
          "The channel {0} could not answer a click; the card shows the decision.",
          channel);
    }
  }
}
