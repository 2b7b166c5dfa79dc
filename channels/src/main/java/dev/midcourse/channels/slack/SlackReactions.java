package dev.midcourse.channels.slack;

import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps one reaction of ours on a message: adds the new one and removes the others. Remembers ours;
 * for a message from before the start of this process it asks Slack once.
 */
final class SlackReactions {
  private static final int MAX_REMEMBERED = 2_000;
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);
  private static final Set<String> OURS =
      Arrays.stream(MessageStatus.values())
          .map(SlackRequestWriter::emoji)
          .collect(Collectors.toUnmodifiableSet());

  private final SlackClient client;
  private final Instant startedAt;
  private final Map<String, Set<String>> remembered; // guarded by itself

  SlackReactions(SlackClient client, Instant startedAt) {
    this.client = client;
    this.startedAt = startedAt;
    this.remembered =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
            return size() > MAX_REMEMBERED;
          }
        };
  }

  /** Sets the reaction. Repeating it is harmless. */
  SendResult set(String chat, String message, MessageStatus status, Optional<SlackAccount> bot)
      throws PlatformException, InterruptedException {
    if (!SlackIds.isTs(message)) {
      // A slash command has no message that others see, so that nothing is to be shown on it.
      return new SendResult.Sent(message);
    }
    String wanted = SlackRequestWriter.emoji(status);
    Set<String> before = before(chat, message, bot);
    if (!before.contains(wanted)) {
      SlackAnswer added = client.call("reactions.add", arguments(chat, message, wanted));
      if (!isDone(added, "already_reacted")) {
        return SlackErrors.sendResult(added);
      }
      before.add(wanted);
      remember(chat, message, before);
    }
    for (String old : List.copyOf(before)) {
      if (!old.equals(wanted)) {
        SlackAnswer removed = client.call("reactions.remove", arguments(chat, message, old));
        if (!isDone(removed, "no_reaction")) {
          return SlackErrors.sendResult(removed);
        }
        before.remove(old);
        remember(chat, message, before);
      }
    }
    return new SendResult.Sent(message);
  }

  private static boolean isDone(SlackAnswer answer, String alsoDone) {
    return answer instanceof SlackAnswer.Done
        || (answer instanceof SlackAnswer.Failed failed && failed.error().equals(alsoDone));
  }

  private static Map<String, String> arguments(String chat, String message, String name) {
    return Map.of("channel", chat, "timestamp", message, "name", name);
  }

  private Set<String> before(String chat, String message, Optional<SlackAccount> bot)
      throws PlatformException, InterruptedException {
    synchronized (remembered) {
      Set<String> known = remembered.get(chat + ":" + message);
      if (known != null) {
        return new LinkedHashSet<>(known);
      }
    }
    boolean isNew = SlackIds.instant(message).isAfter(startedAt.plus(CLOCK_TOLERANCE));
    return isNew || bot.isEmpty() ? new LinkedHashSet<>() : ask(chat, message, bot.get());
  }

  private Set<String> ask(String chat, String message, SlackAccount bot)
      throws PlatformException, InterruptedException {
    SlackAnswer answer =
        client.call("reactions.get", Map.of("channel", chat, "timestamp", message, "full", "true"));
    Set<String> ours = new LinkedHashSet<>();
    if (answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _)) {
      for (JsonValue.Obj reaction : body.object("message").objects("reactions")) {
        if (reaction.texts("users").contains(bot.user())) {
          reaction.string("name").filter(OURS::contains).ifPresent(ours::add);
        }
      }
    }
    return ours;
  }

  private void remember(String chat, String message, Set<String> ours) {
    synchronized (remembered) {
      remembered.put(chat + ":" + message, Set.copyOf(ours));
    }
  }
}
