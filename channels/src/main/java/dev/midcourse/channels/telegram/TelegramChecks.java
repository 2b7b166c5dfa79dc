package dev.midcourse.channels.telegram;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.telegram.api.TelegramAnswer;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.channels.telegram.api.TelegramLogin;
import dev.midcourse.channels.telegram.api.TelegramSettings;
import dev.midcourse.channels.telegram.receive.TelegramText;
import dev.midcourse.channels.telegram.receive.TelegramWebhookSession;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks Telegram whether the channel would work. Changes nothing and takes no updates. */
final class TelegramChecks {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final TelegramSettings settings;
  private final TelegramClient client;
  private final ChannelState state;
  private final List<ChannelCheck> checks = new ArrayList<>();

  TelegramChecks(TelegramSettings settings, TelegramClient client, ChannelState state) {
    this.settings = settings;
    this.client = client;
    this.state = state;
  }

  List<ChannelCheck> run() {
    try {
      switch (client.call("getMe", Obj.EMPTY, TIMEOUT)) {
        case TelegramAnswer.Ok ok -> {
          account(ok.object());
          webhook();
        }
        case TelegramAnswer.Failed failed when failed.isBadToken() ->
            checks.add(
                ChannelCheck.failed(
                    "Telegram does not accept the token.",
                    "Ask @BotFather for it: /mybots, the bot, API Token."));
        case TelegramAnswer.Failed failed ->
            checks.add(ChannelCheck.failed(failed.description(), "Try again later."));
      }
    } catch (PlatformException e) {
      checks.add(
          ChannelCheck.failed(
              "Telegram cannot be reached: " + e.getMessage(),
              "Check the connection of this machine to " + settings.api() + "."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.copyOf(checks);
  }

  private void account(Obj me) {
    String name = "@" + me.string("username").flatMap(TelegramText::name).orElse("?");
    checks.add(ChannelCheck.ok("The bot is " + name + " (" + me.text("id").orElse("?") + ")."));
    checks.add(
        me.is("can_read_all_group_messages")
            ? ChannelCheck.ok("In groups it reads every message.")
            : ChannelCheck.warning(
                "In groups it sees only commands, mentions and replies to it, unless it is an"
                    + " administrator there.",
                "@BotFather: /setprivacy, "
                    + name
                    + ", Disable. Then remove the bot from its groups and add it again."));
    checks.add(
        me.is("can_join_groups")
            ? ChannelCheck.ok("It can be added to groups.")
            : ChannelCheck.warning(
                "It cannot be added to groups.",
                "@BotFather: /setjoingroups, " + name + ", Enable."));
    checks.add(
        ChannelCheck.ok(
            "It may react to messages. A group that allows only some reactions gets short texts"
                + " instead."));
  }

  private void webhook() throws PlatformException, InterruptedException {
    if (!(client.call("getWebhookInfo", Obj.EMPTY, TIMEOUT) instanceof TelegramAnswer.Ok ok)) {
      checks.add(ChannelCheck.warning("Telegram does not say who gets the updates.", ""));
      return;
    }
    Optional<String> set = ok.object().string("url").filter(url -> !url.isEmpty());
    boolean isOurs =
        set.isEmpty()
            || set.equals(settings.webhook().map(Object::toString))
            || set.equals(state.get(TelegramWebhookSession.STATE));
    if (!isOurs && !settings.takeOver()) {
      checks.add(
          ChannelCheck.failed(
              "Another program gets the updates of this bot, by a webhook at "
                  + TelegramLogin.host(set.orElse(""))
                  + ".",
              "Remove the webhook there, make a bot of its own for this channel, or set take_over ="
                  + " true."));
      return;
    }
    checks.add(
        ChannelCheck.ok(
            settings.webhook().isPresent()
                ? "Telegram will call "
                    + TelegramLogin.host(settings.webhook().get().toString())
                    + "."
                : "The hub asks for updates by long polls; it needs no public address."));
    Optional<String> problem = ok.object().string("last_error_message");
    if (settings.webhook().isPresent() && set.isPresent() && problem.isPresent()) {
      checks.add(
          ChannelCheck.warning(
              "Telegram last failed to call the webhook: "
                  + TelegramText.name(problem.get()).orElse("no reason"),
              "Check that the address is reachable from the internet by https."));
    }
  }
}
