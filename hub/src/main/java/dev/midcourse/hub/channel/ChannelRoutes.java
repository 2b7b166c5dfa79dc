package dev.midcourse.hub.channel;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.channel.ChannelViews.AllChannels;
import dev.midcourse.hub.channel.ChannelViews.AllKinds;
import dev.midcourse.hub.channel.ChannelViews.Checked;
import dev.midcourse.hub.channel.ChannelViews.OneChannel;
import dev.midcourse.hub.channel.ChannelViews.OneCheck;
import dev.midcourse.hub.channel.ChannelViews.OneKind;
import dev.midcourse.hub.channel.ChannelViews.OneSetting;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Raw;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The HTTP routes of the administration of channels. */
public final class ChannelRoutes {
  private static final String CHANNEL = "/api/v1/channels/{channel}";
  private static final OneChannel EXAMPLE =
      new OneChannel(
          "telegram",
          "telegram",
          Optional.of("7000000000"),
          "connected",
          Optional.of(Instant.parse("2026-03-01T09:00:00Z")),
          Optional.empty(),
          Optional.empty(),
          Optional.of("channels.toml"));
  private static final OneKind KIND =
      new OneKind(
          "telegram",
          "Telegram",
          List.of("Talk to @BotFather, send /newbot, and copy the token."),
          List.of(new OneSetting("token", "secret", true, "The token of the bot.")));
  private static final Checked CHECKED =
      new Checked(
          "telegram",
          true,
          true,
          List.of(new OneCheck("ok", "The bot is @my_bot.", Optional.empty())));

  private final ChannelOperations operations;

  public ChannelRoutes(ChannelOperations operations) {
    this.operations = operations;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.get("/api/v1/channels", "The channels and the state of their connections.")
            .answers(200, "the channels", new AllChannels(List.of(EXAMPLE)))
            .by(call -> ApiResponse.ok(operations.list(call.caller()))),
        Route.get("/api/v1/channel-kinds", "The kinds of channels, and what each needs.")
            .answers(200, "the kinds", new AllKinds(List.of(KIND)))
            .by(call -> ApiResponse.ok(operations.kinds(call.caller()))),
        Route.post("/api/v1/channels", "Check a channel with its platform and add it.")
            .takes(Raw.class, new Raw(NewChannel.EXAMPLE))
            .answers(200, "what the check found, and whether the channel was added", CHECKED)
            .refuses(Code.DUPLICATE)
            .by(call ->
                ApiResponse.ok(operations.add(call.caller(), NewChannel.read(call.body().text())))),
        Route.post(CHANNEL + "/test", "Check a channel with its platform.")
            .answers(200, "what the check found", CHECKED)
            .by(call -> ApiResponse.ok(operations.test(call.caller(), call.path("channel")))),
        Route.delete(CHANNEL, "Remove a channel that was added over the API.")
            .answers(200, "the channel as it was", EXAMPLE)
            .by(call -> ApiResponse.ok(operations.remove(call.caller(), call.path("channel")))));
  }
}
