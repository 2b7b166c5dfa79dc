package dev.midcourse.channels.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.wire.ChannelUpdate;
import dev.midcourse.channels.wire.RequestWriter;
import dev.midcourse.channels.wire.UpdateReader;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A channel for another program, over signed HTTP requests. The program posts what people write;
 * Midcourse posts what it answers to the URL of the program.
 */
public final class WebhookChannel implements Channel {
  public static final String TIMESTAMP = "Midcourse-Timestamp";
  public static final String SIGNATURE = "Midcourse-Signature";

  /** The longest text, and room for the rest of its request. */
  public static final int MAX_BODY = 640 * 1024;

  private static final ChannelLimits LIMITS =
      new ChannelLimits(100_000, 100, 0, Duration.ZERO, Duration.ofSeconds(1));

  private final WebhookSettings settings;
  private final InstantSource clock;
  private final WebhookClient client;
  private volatile Optional<ChannelListener> listener = Optional.empty();

  public WebhookChannel(WebhookSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    this.client = new WebhookClient(settings, clock);
  }

  /** The answer to a request of the other program. */
  public sealed interface Receipt {
    /**
     * The update is stored, now or earlier.
     *
     * @param text the text for the person who clicked a button
     */
    record Stored(Optional<String> text) implements Receipt {}

    /** The request does not prove that it comes from the other program. Nothing was changed. */
    record NotAuthenticated(String reason) implements Receipt {}
  }

  /**
   * Takes a request of the other program. Returns only when its update is stored.
   *
   * @throws dev.midcourse.core.RefusedException if the body is invalid, or cannot be stored now;
   *     then nothing is changed
   */
  public Receipt receive(Optional<String> timestamp, Optional<String> signature, String body) {
    byte[] bytes = body.getBytes(UTF_8);
    if (bytes.length > MAX_BODY) {
      throw Problem.of(
              Code.TOO_LARGE,
              "body",
              "at most " + MAX_BODY + " bytes",
              "the body is larger than " + MAX_BODY + " bytes")
          .refused();
    }
    Optional<String> objection =
        settings.secret().objection(timestamp, signature, bytes, clock.instant());
    if (objection.isPresent()) {
      return new Receipt.NotAuthenticated(objection.get());
    }
    ChannelUpdate update = new UpdateReader(name(), clock.instant()).read(body);
    ChannelListener to =
        listener.orElseThrow(() ->
            Problem.of(
                    Code.UNAVAILABLE,
                    "channel",
                    "a channel that has started",
                    "the hub does not take messages yet; send it again")
                .refused());
    return switch (update) {
      case ChannelUpdate.Message(var message) -> {
        to.receive(message);
        yield new Receipt.Stored(Optional.empty());
      }
      case ChannelUpdate.Click(var click) -> new Receipt.Stored(Optional.of(to.click(click)));
    };
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.empty();
  }

  @Override
  public ChannelCapabilities capabilities() {
    return new ChannelCapabilities(settings.features(), LIMITS);
  }

  @Override
  public void start(ChannelListener to) {
    listener = Optional.of(to);
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return client.post(id, RequestWriter.write(id, request));
  }

  @Override
  public void close() {
    listener = Optional.empty();
  }
}
