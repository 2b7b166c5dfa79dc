package dev.midcourse.hub.settings.channel;

import dev.midcourse.channels.outbox.OutboxSettings;
import dev.midcourse.channels.webhook.WebhookSettings;
import java.time.Duration;
import java.util.List;

/**
 * The channels of the settings file. The terminal channel needs no settings.
 *
 * @param giveUpAfter the age at which a message that no platform took is given up
 */
public record ChannelSettings(
    List<WebhookSettings> webhooks, List<ConfiguredChannel> platforms, Duration giveUpAfter) {
  public static final ChannelSettings DEFAULT =
      new ChannelSettings(List.of(), List.of(), OutboxSettings.DEFAULT_GIVE_UP_AFTER);

  public ChannelSettings {
    webhooks = List.copyOf(webhooks);
    platforms = List.copyOf(platforms);
  }
}
