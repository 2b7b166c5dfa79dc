package dev.midcourse.channels.webhook;

import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * One webhook channel.
 *
 * @param url where messages are sent; without it the channel only receives
 * @param timeout how long an answer is waited for
 * @param features what the other program can show: of {@code EDITS}, {@code REACTIONS} and {@code
 *     BUTTONS}; {@code IDEMPOTENT_SENDS} if it acts once on requests with the same id
 */
public record WebhookSettings(
    ChannelName name,
    WebhookSecret secret,
    Optional<URI> url,
    Duration timeout,
    Set<ChannelFeature> features) {
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  public WebhookSettings {
    features = Set.copyOf(features);
  }
}
