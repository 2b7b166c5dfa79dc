package dev.midcourse.channels.discord;

import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordPlace;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks Discord whether the bot can work: its token, its intent, its servers and permissions. */
final class DiscordChecker {
  private static final long CONTENT_GRANTED = 1L << 18;
  private static final long CONTENT_SWITCHED_ON = 1L << 19;
  private static final long ADMINISTRATOR = 1L << 3;
  private static final int MAX_LINES = 10;
  private static final long LOW_SESSIONS = 100;
  private static final String PORTAL = "https://discord.com/developers/applications";
  private static final Map<String, Long> PERMISSIONS = permissions();

  private final DiscordClient client;
  private final boolean messageContent;
  private final List<ChannelCheck> checks = new ArrayList<>();

  DiscordChecker(DiscordClient client, boolean messageContent) {
    this.client = client;
    this.messageContent = messageContent;
  }

  private static Map<String, Long> permissions() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("View Channels", 1L << 10);
    all.put("Send Messages", 1L << 11);
    all.put("Send Messages in Threads", 1L << 38);
    all.put("Read Message History", 1L << 16);
    all.put("Add Reactions", 1L << 6);
    all.put("Attach Files", 1L << 15);
    return all;
  }

  List<ChannelCheck> check() {
    try {
      if (account()) {
        content();
        servers();
        sessions();
      }
    } catch (PlatformException e) {
      checks.add(
          ChannelCheck.failed(
              "Discord does not answer: " + e.getMessage(),
              "Check the network of this machine, then try again."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.copyOf(checks);
  }

  private boolean account() throws PlatformException, InterruptedException {
    return switch (client.getWithRetries("/users/@me")) {
      case DiscordAnswer.Done done -> {
        String name = done.object().string("username").map(DiscordPlace::plain).orElse("?");
        checks.add(ChannelCheck.ok("The bot is " + name + "."));
        yield true;
      }
      case DiscordAnswer.Failed failed
          when failed.status() == DiscordAnswer.Failed.UNAUTHORIZED -> {
        checks.add(
            ChannelCheck.failed(
                "Discord refuses the token.",
                "Make a new token at " + PORTAL + " (Bot, Reset Token) and store it."));
        yield false;
      }
      case DiscordAnswer answer -> {
        problem("Who the bot is", answer);
        yield false;
      }
    };
  }

  private void content() throws PlatformException, InterruptedException {
    switch (client.getWithRetries("/applications/@me")) {
      case DiscordAnswer.Done done -> {
        long flags = done.object().number("flags").orElse(0L);
        if ((flags & (CONTENT_GRANTED | CONTENT_SWITCHED_ON)) != 0) {
          checks.add(ChannelCheck.ok("The bot may read the texts of messages."));
        } else if (messageContent) {
          checks.add(
              ChannelCheck.failed(
                  "The bot may not read the texts of messages.",
                  "Switch on Message Content Intent at "
                      + PORTAL
                      + " (Bot), or set message_content = false."));
        } else {
          checks.add(
              ChannelCheck.warning(
                  "The bot reads direct messages and messages that mention it, and no others.",
                  "To change this, switch on Message Content Intent at " + PORTAL + " (Bot)."));
        }
      }
      case DiscordAnswer answer -> problem("What the bot may read", answer);
    }
  }

  private void servers() throws PlatformException, InterruptedException {
    DiscordAnswer answer = client.getWithRetries("/users/@me/guilds?limit=200");
    if (!(answer instanceof DiscordAnswer.Done(JsonValue.Arr all))) {
      problem("The servers of the bot", answer);
      return;
    }
    if (all.objects().isEmpty()) {
      checks.add(
          ChannelCheck.warning(
              "The bot is in no server.",
              "Add it with the URL of the page OAuth2 at " + PORTAL + " (scope bot)."));
    }
    all.objects().stream().limit(MAX_LINES).forEach(this::server);
  }

  private void server(JsonValue.Obj guild) {
    String name = guild.string("name").map(DiscordPlace::plain).orElse("?");
    long granted =
        guild.string("permissions").filter(Snowflake::isValid).map(Long::valueOf).orElse(0L);
    List<String> missing =
        PERMISSIONS.entrySet().stream()
            .filter(one -> (granted & (one.getValue() | ADMINISTRATOR)) == 0)
            .map(Map.Entry::getKey)
            .toList();
    checks.add(
        missing.isEmpty()
            ? ChannelCheck.ok("The bot has its permissions in the server " + name + ".")
            : ChannelCheck.warning(
                "In the server " + name + " the bot lacks: " + String.join(", ", missing) + ".",
                "Server Settings, Roles, the role of the bot: switch them on."));
  }

  private void sessions() throws PlatformException, InterruptedException {
    if (client.getWithRetries("/gateway/bot") instanceof DiscordAnswer.Done done) {
      done.object()
          .object("session_start_limit")
          .number("remaining")
          .filter(left -> left < LOW_SESSIONS)
          .ifPresent(left ->
              checks.add(
                  ChannelCheck.warning(
                      "The bot may begin only " + left + " further sessions today.",
                      "Look for another program with the same token that starts over and over.")));
    }
  }

  private void problem(String what, DiscordAnswer answer) {
    String reason =
        switch (answer) {
          case DiscordAnswer.Failed failed -> failed.reason();
          case DiscordAnswer.Limited(var _, String limited) -> limited;
          case DiscordAnswer.Done _ -> "the answer cannot be read";
        };
    checks.add(
        ChannelCheck.failed(
            what + " could not be found out: " + reason, "Try again in a few minutes."));
  }
}
