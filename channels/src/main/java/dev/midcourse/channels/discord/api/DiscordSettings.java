package dev.midcourse.channels.discord.api;

import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.time.Duration;

/**
 * The settings of one Discord channel.
 *
 * @param api the address of the HTTP API, without a slash at its end
 * @param messageContent whether the bot asks for the texts of messages that do not mention it
 * @param pauses the waits of the gateway
 */
public record DiscordSettings(
    ChannelName name, ChannelSecret token, URI api, boolean messageContent, Pauses pauses) {
  public static final URI DEFAULT_API = URI.create("https://discord.com/api/v10");

  /**
   * Waits that Discord's documentation names; a test makes them shorter.
   *
   * @param connect for connecting, and for the greeting of the gateway
   * @param invalidSession the least wait before identifying after an invalid session
   */
  public record Pauses(Duration connect, Duration invalidSession) {
    public static final Pauses DEFAULT = new Pauses(Duration.ofSeconds(20), Duration.ofSeconds(1));
  }
}
