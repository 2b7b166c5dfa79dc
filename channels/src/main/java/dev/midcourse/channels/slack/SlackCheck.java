package dev.midcourse.channels.slack;

import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds out with a few calls whether the app is set up. */
final class SlackCheck {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String ADD_SCOPE =
      "Add the scope under OAuth & Permissions of the app, and install the app again.";

  private final SlackClient client;
  private final SlackSettings settings;
  private final List<ChannelCheck> results = new ArrayList<>();

  SlackCheck(SlackClient client, SlackSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  /** The scopes, and what does not work without them. */
  private static Map<String, String> scopes() {
    Map<String, String> scopes = new LinkedHashMap<>();
    scopes.put("chat:write", "send messages");
    scopes.put("app_mentions:read", "see mentions");
    scopes.put("channels:history", "read public channels");
    scopes.put("groups:history", "read private channels");
    scopes.put("im:history", "read direct messages");
    scopes.put("mpim:history", "read group direct messages");
    scopes.put("channels:read", "find missed messages of public channels");
    scopes.put("groups:read", "find missed messages of private channels");
    scopes.put("im:read", "find missed direct messages");
    scopes.put("mpim:read", "find missed group direct messages");
    scopes.put("users:read", "show names of people");
    scopes.put("reactions:read", "replace reactions after a restart");
    scopes.put("reactions:write", "react");
    scopes.put("files:read", "fetch files of people");
    scopes.put("files:write", "send files");
    return scopes;
  }

  List<ChannelCheck> run() {
    try {
      if (checkBot()) {
        checkReceiving();
        checkChannels();
      }
    } catch (PlatformException e) {
      results.add(
          ChannelCheck.failed(
              "Slack cannot be reached: " + e.getMessage(),
              "Check the network of this machine and a proxy."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      results.add(ChannelCheck.failed("The check was interrupted.", "Run it again."));
    }
    return List.copyOf(results);
  }

  private boolean checkBot() throws PlatformException, InterruptedException {
    SlackAnswer answer = call("auth.test", Map.of());
    if (!(answer instanceof SlackAnswer.Done(JsonValue.Obj body, String granted))) {
      results.add(
          ChannelCheck.failed("The bot token: " + shown(answer) + ".", SlackErrors.INSTALL_AGAIN));
      return false;
    }
    Optional<SlackAccount> bot = SlackAccount.read(body);
    results.add(
        bot.map(it ->
                ChannelCheck.ok(
                    "The bot is @%s (%s) in %s.".formatted(it.name(), it.user(), it.workspace())))
            .orElseGet(() ->
                ChannelCheck.failed(
                    "Slack does not say who the bot is.", SlackErrors.INSTALL_AGAIN)));
    if (!granted.isBlank()) {
      checkScopes(
          Set.of(granted.split("\\s*,\\s*")).stream()
              .map(String::strip)
              .collect(Collectors.toSet()));
    }
    return bot.isPresent();
  }

  private void checkScopes(Set<String> granted) {
    int before = results.size();
    scopes()
        .forEach((scope, purpose) -> {
          if (!granted.contains(scope)) {
            String text = "The scope " + scope + " is missing: the bot cannot " + purpose + ".";
            results.add(
                scope.equals("chat:write")
                    ? ChannelCheck.failed(text, ADD_SCOPE)
                    : ChannelCheck.warning(text, ADD_SCOPE));
          }
        });
    if (results.size() == before) {
      results.add(ChannelCheck.ok("All scopes are granted."));
    }
  }

  private void checkReceiving() throws PlatformException, InterruptedException {
    if (settings.mode() == SlackSettings.Mode.EVENTS) {
      results.add(
          ChannelCheck.ok(
              "Events come as requests; Slack itself checks the address when it is entered under"
                  + " Event Subscriptions and Interactivity."));
      return;
    }
    SlackAnswer answer =
        client.call("apps.connections.open", Map.of(), settings.appToken().orElseThrow(), TIMEOUT);
    results.add(
        answer instanceof SlackAnswer.Done
            ? ChannelCheck.ok("Slack opens sockets for the app.")
            : ChannelCheck.failed(
                "Slack opens no socket: " + shown(answer) + ".",
                "Switch on Socket Mode, and make an app-level token with the scope"
                    + " connections:write."));
  }

  private void checkChannels() throws PlatformException, InterruptedException {
    SlackAnswer answer =
        call(
            "users.conversations",
            Map.of("types", "public_channel,private_channel,im", "limit", "200"));
    if (!(answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _))) {
      results.add(
          ChannelCheck.warning(
              "The channels of the bot cannot be listed: "
                  + shown(answer)
                  + ". Messages that were missed cannot be fetched.",
              "Add the scopes channels:read, groups:read, im:read and mpim:read, and install the"
                  + " app again."));
      return;
    }
    List<JsonValue.Obj> channels = body.objects("channels");
    long direct = channels.stream().filter(channel -> channel.is("is_im")).count();
    long groups = channels.size() - direct;
    results.add(
        groups > 0
            ? ChannelCheck.ok("Channels of the bot: " + groups + ".")
            : ChannelCheck.warning(
                "The bot is in no channel.", "Invite it in Slack: /invite @name."));
    if (direct == 0) {
      results.add(
          ChannelCheck.warning(
              "Nobody has written a direct message to the bot yet.",
              "Direct messages are impossible until App Home > Show Tabs > Messages Tab is on,"
                  + " with \"Allow users to send … messages from the messages tab\"."));
    }
  }

  private SlackAnswer call(String method, Map<String, String> arguments)
      throws PlatformException, InterruptedException {
    return client.call(method, arguments, client.botToken(), TIMEOUT);
  }

  private static String shown(SlackAnswer answer) {
    return switch (answer) {
      case SlackAnswer.Done _ -> "ok";
      case SlackAnswer.Failed failed -> failed.shown();
      case SlackAnswer.RateLimited _ -> "Slack asks to wait";
      case SlackAnswer.Unclear(String reason) -> reason;
    };
  }
}
