package dev.midcourse.channels.slack.receive;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.json.JsonValue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Fetches what was written while no socket was open, from the history of each channel of the bot
 * and of the threads that are alive, and takes it like other messages. What was received before has
 * the same keys and changes nothing. What cannot be fetched is told as a gap.
 */
public final class SlackCatchUp {
  private static final Logger LOG = System.getLogger(SlackCatchUp.class.getName());
  private static final int PAGE = 200;
  private static final int MAX_CHATS = 1_000;
  private static final int MAX_MESSAGES = 10_000;
  private static final int MAX_WAITS = 60;
  private static final String ALL_TYPES = "public_channel,private_channel,mpim,im";

  private final SlackClient client;
  private final ChannelName channel;
  private final ChannelListener listener;
  private final SlackUpdateReader reader;
  private final SlackIngest ingest;
  private final SlackPosition position;

  public SlackCatchUp(
      SlackClient client,
      ChannelName channel,
      ChannelListener listener,
      SlackUpdateReader reader,
      SlackIngest ingest,
      SlackPosition position) {
    this.client = client;
    this.channel = channel;
    this.listener = listener;
    this.reader = reader;
    this.ingest = ingest;
    this.position = position;
  }

  /** The pages of a list. */
  private record Listed(List<JsonValue.Obj> items, Optional<String> missing) {}

  /** Fetches and takes everything since this time. */
  public void run(Instant from, Instant now) throws Exception {
    String oldest = SlackIds.before(SlackIds.ts(from), SlackPosition.OVERLAP);
    Listed chats =
        list(
            "users.conversations",
            "channels",
            Map.of("types", ALL_TYPES, "exclude_archived", "true"),
            MAX_CHATS);
    tellGap(Optional.empty(), chats.missing(), from, now);
    Set<String> ids = new LinkedHashSet<>();
    chats.items().forEach(chat -> chat.string("id").filter(SlackIds::isId).ifPresent(ids::add));
    for (String chat : ids) {
      catchUp(chat, oldest, from, now);
    }
  }

  private void catchUp(String chat, String oldest, Instant from, Instant now) throws Exception {
    Listed history = list("conversations.history", "messages", at(chat, oldest), MAX_MESSAGES);
    Map<Instant, JsonValue.Obj> inOrder = new TreeMap<>();
    put(inOrder, history.items());
    Optional<String> missing = history.missing();
    for (String thread : threads(chat, history.items())) {
      Map<String, String> arguments = at(chat, oldest);
      arguments.put("ts", thread);
      Listed replies = list("conversations.replies", "messages", arguments, MAX_MESSAGES);
      put(inOrder, replies.items());
      missing = missing.or(replies::missing);
    }
    Instant begin = SlackIds.instant(oldest);
    for (Map.Entry<Instant, JsonValue.Obj> message : inOrder.entrySet()) {
      // The replies of a thread begin with its root, however old it is.
      if (!message.getKey().isBefore(begin)) {
        take(chat, message.getValue());
      }
    }
    tellGap(Optional.of(chat), missing, from, now);
  }

  private static Map<String, String> at(String chat, String oldest) {
    return new HashMap<>(Map.of("channel", chat, "oldest", oldest));
  }

  private static void put(Map<Instant, JsonValue.Obj> inOrder, Collection<JsonValue.Obj> messages) {
    for (JsonValue.Obj message : messages) {
      message
          .string("ts")
          .filter(SlackIds::isTs)
          .ifPresent(ts -> inOrder.put(SlackIds.instant(ts), message));
    }
  }

  /** Threads with new roots, and older ones in which we wrote. */
  private Set<String> threads(String chat, List<JsonValue.Obj> history) {
    Set<String> threads = new LinkedHashSet<>();
    for (JsonValue.Obj message : history) {
      if (message.number("reply_count").orElse(0L) > 0) {
        message.string("ts").filter(SlackIds::isTs).ifPresent(threads::add);
      }
    }
    position.threads().stream()
        .filter(thread -> thread.chat().equals(chat))
        .forEach(thread -> threads.add(thread.thread()));
    return threads;
  }

  private void take(String chat, JsonValue.Obj message) throws PermanentFailureException {
    for (SlackUpdate update : reader.history(chat, message)) {
      ingest.accept(update);
    }
  }

  /** Fetches all pages; what is missing is said. */
  private Listed list(String method, String field, Map<String, String> arguments, int max)
      throws Exception {
    List<JsonValue.Obj> items = new ArrayList<>();
    Map<String, String> page = new HashMap<>(arguments);
    page.put("limit", Integer.toString(PAGE));
    while (true) {
      SlackAnswer answer = callPatiently(method, page);
      if (answer instanceof SlackAnswer.Failed failed && !SlackErrors.isRevoked(failed.error())) {
        return new Listed(items, missing(failed));
      }
      if (!(answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _))) {
        throw SlackErrors.connectionFailure(answer);
      }
      items.addAll(body.objects(field));
      Optional<String> next =
          body.object("response_metadata").string("next_cursor").filter(it -> !it.isBlank());
      if (next.isEmpty()) {
        return new Listed(items, Optional.empty());
      }
      if (items.size() >= max) {
        return new Listed(items, Optional.of("more than " + max + " were written"));
      }
      page.put("cursor", next.get());
    }
  }

  /** A channel that the bot has left, or a thread that is gone, lacks nothing. */
  private static Optional<String> missing(SlackAnswer.Failed failed) {
    return switch (failed.error()) {
      case "not_in_channel", "channel_not_found", "thread_not_found", "is_archived" ->
          Optional.empty();
      default -> Optional.of(failed.shown());
    };
  }

  private SlackAnswer callPatiently(String method, Map<String, String> arguments) throws Exception {
    for (int waits = 0; waits < MAX_WAITS; waits++) {
      SlackAnswer answer = client.call(method, arguments);
      if (!(answer instanceof SlackAnswer.RateLimited(Duration delay))) {
        return answer;
      }
      Thread.sleep(delay);
    }
    return new SlackAnswer.Unclear("Slack limits " + method + " for too long");
  }

  private void tellGap(Optional<String> chat, Optional<String> missing, Instant from, Instant now) {
    if (missing.isEmpty() || Duration.between(from, now).compareTo(SlackPosition.OVERLAP) < 0) {
      return;
    }
    LOG.log(
        Level.WARNING,
        "The channel {0} could not fetch all messages since {1}: {2}.",
        channel,
        from,
        missing.get());
    listener.notice(
        channel, new ChannelNotice.Gap(chat, from, now, "messages (" + missing.get() + ")"));
  }
}
