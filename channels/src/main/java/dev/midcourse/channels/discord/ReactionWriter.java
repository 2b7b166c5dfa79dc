package dev.midcourse.channels.discord;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.StatusEmoji;
import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordRoute;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps one reaction of the bot on a message. Discord lets a bot have several, so the new one is
 * added first and then the others are removed.
 */
final class ReactionWriter {
  private static final int MAX_MESSAGES = 10_000;

  private final DiscordClient client;
  private final Instant started;

  /** The reactions of the bot by message, as far as this process set them; guarded by this. */
  private final Map<String, Set<String>> own =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
          return size() > MAX_MESSAGES;
        }
      };

  ReactionWriter(DiscordClient client, InstantSource clock) {
    this.client = client;
    this.started = clock.instant();
  }

  SendResult set(String channel, String message, MessageStatus status)
      throws PlatformException, InterruptedException {
    String wanted = StatusEmoji.of(status);
    Set<String> present = present(channel, message);
    DiscordAnswer added =
        client.call(new DiscordRoute("PUT", path(channel, message, wanted)), Optional.empty());
    if (!(added instanceof DiscordAnswer.Done)) {
      return added.sendResult();
    }
    present.add(wanted);
    remember(message, present);
    for (String other : Set.copyOf(present)) {
      if (other.equals(wanted)) {
        continue;
      }
      DiscordAnswer removed =
          client.call(new DiscordRoute("DELETE", path(channel, message, other)), Optional.empty());
      if (removed instanceof DiscordAnswer.Limited limited) {
        return limited.sendResult(); // the same request again removes it
      }
      present.remove(other);
      remember(message, present);
    }
    return new SendResult.Sent(message);
  }

  private Set<String> present(String channel, String message)
      throws PlatformException, InterruptedException {
    synchronized (this) {
      Set<String> known = own.get(message);
      if (known != null) {
        return new HashSet<>(known);
      }
    }
    // An earlier process may have set a reaction on an older message.
    return Snowflake.time(message).isBefore(started) ? ask(channel, message) : new HashSet<>();
  }

  private Set<String> ask(String channel, String message)
      throws PlatformException, InterruptedException {
    Set<String> present = new HashSet<>();
    if (client.get("/channels/" + channel + "/messages/" + message)
        instanceof DiscordAnswer.Done done) {
      Set<String> ours = new HashSet<>();
      for (MessageStatus status : MessageStatus.values()) {
        ours.add(StatusEmoji.of(status));
      }
      for (JsonValue.Obj reaction : done.object().objects("reactions")) {
        if (reaction.is("me")) {
          reaction.object("emoji").string("name").filter(ours::contains).ifPresent(present::add);
        }
      }
    }
    return present;
  }

  private synchronized void remember(String message, Set<String> present) {
    own.put(message, Set.copyOf(present));
  }

  private static String path(String channel, String message, String emoji) {
    return "/channels/%s/messages/%s/reactions/%s/@me"
        .formatted(channel, message, URLEncoder.encode(emoji, UTF_8));
  }
}
