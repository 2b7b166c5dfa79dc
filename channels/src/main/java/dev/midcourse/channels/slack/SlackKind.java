package dev.midcourse.channels.slack;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.channels.slack.receive.SlackSocketSession;
import java.util.List;

/** Slack. */
public final class SlackKind implements ChannelKind {
  @Override
  public String name() {
    return "slack";
  }

  @Override
  public String title() {
    return "Slack";
  }

  /** With {@code mode = "events"} the app token may be missing; it is asked for all the same. */
  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        ChannelSetting.required(
            SlackSettings.BOT_TOKEN,
            ChannelSetting.Type.SECRET,
            "The bot token of the app: xoxb-…"),
        ChannelSetting.required(
            SlackSettings.APP_TOKEN,
            ChannelSetting.Type.SECRET,
            "The app-level token with the scope connections:write: xapp-…"),
        ChannelSetting.optional(
            SlackSettings.MODE,
            ChannelSetting.Type.TEXT,
            "socket (the default) or events: whether the hub opens a socket, or Slack calls the"
                + " hub."),
        ChannelSetting.optional(
            SlackSettings.SIGNING_SECRET,
            ChannelSetting.Type.SECRET,
            "The signing secret of the app, for mode = \"events\"."),
        ChannelSetting.optional(
            SlackSettings.API_URL, ChannelSetting.Type.URL, "Another address of Slack's web API."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Open https://api.slack.com/apps, choose Create New App, then From a manifest, and paste"
            + " the manifest of docs/channels/slack.md.",
        "Choose Install App and copy the Bot User OAuth Token (xoxb-…).",
        "Choose Basic Information, App-Level Tokens, Generate, with the scope connections:write,"
            + " and copy the token (xapp-…).",
        "In Slack, invite the app into a channel: /invite @midcourse.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new SlackChannel(SlackSettings.read(config), context, SlackSocketSession.MAX_SILENCE);
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    SlackSettings settings = SlackSettings.read(config);
    try (PlatformClient http = new PlatformClient(settings.secrets())) {
      return new SlackCheck(new SlackClient(http, settings), settings).run();
    }
  }
}
