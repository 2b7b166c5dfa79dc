package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordDirectory;
import dev.midcourse.channels.discord.api.DiscordPlace;
import dev.midcourse.channels.discord.api.DiscordRequestWriter;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Takes clicks on buttons. Discord shows an error to the person who clicked if it is not answered
 * within 3 s, so a click is answered when it comes, before the events in front of it are taken; and
 * then it is decided.
 */
final class DiscordClickHandler {
  private static final Logger LOG = System.getLogger(DiscordClickHandler.class.getName());
  private static final long COMPONENT = 3;
  private static final int LATER_UPDATE = 6;
  private static final int ALREADY_ANSWERED = 40_060;
  private static final int ONLY_FOR_CLICKER = 1 << 6;
  private static final int MAX_TEXT = 2_000;

  private final ChannelName channel;
  private final DiscordClient client;
  private final DiscordDirectory directory;
  private final DiscordUpdateReader reader;
  private final ChannelListener listener;
  private volatile String bot = "";

  DiscordClickHandler(
      ChannelName channel,
      DiscordClient client,
      DiscordDirectory directory,
      DiscordUpdateReader reader,
      ChannelListener listener) {
    this.channel = channel;
    this.client = client;
    this.directory = directory;
    this.reader = reader;
    this.listener = listener;
  }

  void setBot(String id) {
    bot = id;
  }

  /** Begins to take a click in a thread of its own; empty if the interaction is something else. */
  Optional<GatewayLink.Pending> begin(JsonValue.Obj interaction) {
    if (interaction.number("type").filter(type -> type == COMPONENT).isEmpty()) {
      return Optional.empty();
    }
    CompletableFuture<Optional<Exception>> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("discord-click")
        .start(() -> {
          try {
            take(interaction);
            result.complete(Optional.empty());
          } catch (IOException | InterruptedException | RuntimeException e) {
            result.complete(Optional.of(e));
          }
        });
    return Optional.of(() -> await(result));
  }

  private static void await(CompletableFuture<Optional<Exception>> result)
      throws IOException, InterruptedException {
    try {
      Optional<Exception> failure = result.get();
      if (failure.isPresent() && failure.get() instanceof RefusedException refused) {
        throw refused;
      }
      if (failure.isPresent()) {
        throw new IOException("a click could not be taken", failure.get());
      }
    } catch (ExecutionException e) {
      throw new IOException("a click could not be taken", e);
    }
  }

  private void take(JsonValue.Obj interaction) throws IOException, InterruptedException {
    Optional<String> id = interaction.string("id").filter(Snowflake::isValid);
    Optional<String> token = interaction.string("token").filter(DiscordClickHandler::isToken);
    if (id.isEmpty() || token.isEmpty()) {
      return;
    }
    boolean isAnswered = answer(id.get(), token.get());
    String at =
        interaction
            .string("channel_id")
            .or(() -> interaction.object("channel").string("id"))
            .filter(Snowflake::isValid)
            .orElse("0");
    DiscordPlace place = directory.find(at, interaction.string("guild_id"));
    Optional<ButtonClick> click = reader.click(interaction, place.chat(), bot);
    if (click.isPresent()) {
      String text = decide(click.get());
      if (isAnswered && !text.isBlank()) {
        tell(interaction, token.get(), text);
      }
    }
  }

  private String decide(ButtonClick click) {
    try {
      return listener.click(click);
    } catch (RefusedException e) {
      if (e.problem().code() == Problem.Code.UNAVAILABLE) {
        throw e;
      }
      LOG.log(
          Level.WARNING,
          "A click in the channel {0} was skipped, because it can never be taken: {1}",
          channel,
          e.problem().message());
      return e.problem().message();
    }
  }

  /** Tells Discord that the click was seen; false if the text for the clicker cannot be shown. */
  private boolean answer(String id, String token) throws InterruptedException {
    try {
      DiscordAnswer answer =
          client.call(
              "POST",
              "/interactions/" + id + "/" + token + "/callback",
              JsonValue.object().with("type", LATER_UPDATE));
      return answer instanceof DiscordAnswer.Done
          || (answer instanceof DiscordAnswer.Failed failed && failed.code() == ALREADY_ANSWERED);
    } catch (IOException e) {
      return false;
    }
  }

  private void tell(JsonValue.Obj interaction, String token, String text)
      throws InterruptedException {
    Optional<String> application = interaction.string("application_id").filter(Snowflake::isValid);
    if (application.isEmpty()) {
      return;
    }
    try {
      var _ =
          client.call(
              "POST",
              "/webhooks/" + application.get() + "/" + token,
              JsonValue.object()
                  .with("content", text.substring(0, Math.min(text.length(), MAX_TEXT)))
                  .with("flags", ONLY_FOR_CLICKER)
                  .with("allowed_mentions", DiscordRequestWriter.NO_MENTIONS));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The answer to a click in {0} was not shown.", channel);
    }
  }

  /** The token of an interaction becomes a part of an address. */
  private static boolean isToken(String text) {
    return text.matches("[A-Za-z0-9_=.-]{1,1000}");
  }
}
