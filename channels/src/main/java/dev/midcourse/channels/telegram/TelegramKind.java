package dev.midcourse.channels.telegram;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.channels.telegram.api.TelegramSettings;
import java.util.List;

/** Telegram, through a bot. */
public final class TelegramKind implements ChannelKind {
  @Override
  public String name() {
    return "telegram";
  }

  @Override
  public String title() {
    return "Telegram";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        ChannelSetting.required(
            "token", ChannelSetting.Type.SECRET, "The token of the bot, from @BotFather."),
        ChannelSetting.optional(
            "webhook",
            ChannelSetting.Type.FLAG,
            "Telegram calls the hub, instead of long polls by the hub."),
        ChannelSetting.optional(
            "webhook_url",
            ChannelSetting.Type.URL,
            "The public https address of /api/v1/channels/NAME/updates, for webhook = true."),
        ChannelSetting.optional(
            "take_over",
            ChannelSetting.Type.FLAG,
            "Replaces a webhook that another program has set."),
        ChannelSetting.optional(
            "api_url",
            ChannelSetting.Type.URL,
            "A Bot API server of your own; https://api.telegram.org if not set."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Write to @BotFather in Telegram: /newbot. It asks for a name and shows the token.",
        "For groups: /setprivacy, choose the bot, Disable; then add the bot to the group, or remove"
            + " it and add it again. Else it sees only commands, mentions and replies to it.",
        "Write to the bot: a bot cannot begin a conversation.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new TelegramChannel(TelegramSettings.read(config), context);
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    TelegramSettings settings = TelegramSettings.read(config);
    try (TelegramClient client = new TelegramClient(settings)) {
      return new TelegramChecks(settings, client, context.state()).run();
    }
  }
}
