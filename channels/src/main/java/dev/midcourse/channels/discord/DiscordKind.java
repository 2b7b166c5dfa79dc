package dev.midcourse.channels.discord;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordSettings;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import java.net.URI;
import java.util.List;

/** Discord. */
public final class DiscordKind implements ChannelKind {
  @Override
  public String name() {
    return "discord";
  }

  @Override
  public String title() {
    return "Discord";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        ChannelSetting.required("token", ChannelSetting.Type.SECRET, "The token of the bot."),
        ChannelSetting.optional(
            "message_content",
            ChannelSetting.Type.FLAG,
            "Whether the bot reads messages that do not mention it; true if not set."),
        ChannelSetting.optional(
            "api_url", ChannelSetting.Type.URL, "The address of the API, for a proxy or a test."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Open https://discord.com/developers/applications and choose New Application.",
        "On the page Bot, switch on Message Content Intent.",
        "On the page Bot, choose Reset Token and copy the token.",
        "On the page OAuth2, choose the scope bot and the permissions View Channels, Send Messages,"
            + " Send Messages in Threads, Read Message History, Add Reactions and Attach Files.",
        "Open the URL below them and add the bot to your server.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new DiscordChannel(read(config), context);
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    DiscordSettings settings = read(config);
    try (DiscordClient client = new DiscordClient(settings, context.clock())) {
      return new DiscordChecker(client, settings.messageContent()).check();
    }
  }

  private static DiscordSettings read(ChannelConfig config) {
    URI api = config.url("api_url").orElse(DiscordSettings.DEFAULT_API);
    return new DiscordSettings(
        config.name(),
        config.requiredSecret("token"),
        URI.create(api.toString().replaceFirst("/+$", "")),
        config.flag("message_content").orElse(true),
        DiscordSettings.Pauses.DEFAULT);
  }
}
