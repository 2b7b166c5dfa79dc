package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.ANN;
import static dev.midcourse.channels.slack.FakeSlack.BOT;
import static dev.midcourse.channels.slack.FakeSlack.BOT_ID;
import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static dev.midcourse.channels.slack.FakeSlack.DIRECT;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The messages and reactions of the fake, and the methods of the web API that read and change them.
 */
final class FakeSlackMessages {
  private static final int MAX_TEXT = 40_000;
  private static final int MAX_EDIT = 4_000;

  volatile int pageSize = 200;
  private final Map<String, TreeMap<String, JsonValue.Obj>> messages = new HashMap<>();
  private final Map<String, Map<String, List<String>>> reactions = new HashMap<>();
  private final long second;
  private long micros = 100;

  FakeSlackMessages(long second) {
    this.second = second;
    messages.put(CHANNEL, new TreeMap<>());
    messages.put(DIRECT, new TreeMap<>());
  }

  synchronized boolean has(String chat) {
    return messages.containsKey(chat);
  }

  synchronized void remove(String chat, String ts) {
    messages.getOrDefault(chat, new TreeMap<>()).remove(ts);
  }

  synchronized JsonValue.Obj message(String chat, String ts) {
    return Optional.ofNullable(messages.getOrDefault(chat, new TreeMap<>()).get(ts))
        .orElse(JsonValue.Obj.EMPTY);
  }

  synchronized List<JsonValue.Obj> messages(String chat) {
    return List.copyOf(messages.getOrDefault(chat, new TreeMap<>()).values());
  }

  synchronized List<String> reactions(String chat, String ts) {
    return List.copyOf(reactions.getOrDefault(chat + ts, Map.of()).keySet());
  }

  /** The clock of Slack goes on. */
  synchronized void passTime(Duration time) {
    micros += TimeUnit.MICROSECONDS.convert(time);
  }

  /** Nobody has ever opened the messages tab of the app. */
  synchronized void withoutDirectMessages() {
    messages.remove(DIRECT);
  }

  synchronized JsonValue.Obj inThread(
      String chat, JsonValue.Obj message, Optional<String> thread, String user) {
    if (thread.isEmpty()) {
      return message;
    }
    JsonValue.Obj root = message(chat, thread.get());
    if (!root.equals(JsonValue.Obj.EMPTY)) {
      put(
          chat,
          root.with("thread_ts", thread.get())
              .with("reply_count", root.number("reply_count").orElse(0L) + 1));
    }
    return message
        .with("thread_ts", thread.get())
        .with("parent_user_id", root.string("user").orElse(user));
  }

  synchronized String nextTs() {
    micros += 100;
    return "%d.%06d".formatted(second + micros / 1_000_000, micros % 1_000_000);
  }

  synchronized void put(String chat, JsonValue.Obj message) {
    messages
        .computeIfAbsent(chat, key -> new TreeMap<>())
        .put(message.string("ts").orElseThrow(), message);
  }

  static JsonValue.Obj error(String error) {
    return JsonValue.object().with("ok", false).with("error", error);
  }

  static JsonValue.Obj ok() {
    return JsonValue.object().with("ok", true);
  }

  static JsonValue.Obj user(String id) {
    return id.equals(ANN)
        ? ok().with(
                "user",
                JsonValue.object()
                    .with("id", id)
                    .with("name", "ann")
                    .with("profile", JsonValue.object().with("display_name", "Ann Ash")))
        : error("user_not_found");
  }

  synchronized JsonValue.Obj conversation(String id) {
    return messages.containsKey(id)
        ? ok().with("channel", JsonValue.object().with("id", id).with("name", "general"))
        : error("channel_not_found");
  }

  synchronized JsonValue.Obj conversations() {
    List<JsonValue> channels = new ArrayList<>();
    for (String id : messages.keySet()) {
      channels.add(JsonValue.object().with("id", id).with("is_im", id.startsWith("D")));
    }
    return ok().with("channels", new JsonValue.Arr(channels));
  }

  /** The newest first, without replies in threads. */
  synchronized JsonValue.Obj history(Map<String, String> arguments) {
    if (!messages.containsKey(arguments.getOrDefault("channel", ""))) {
      return error("channel_not_found");
    }
    List<JsonValue.Obj> found = new ArrayList<>();
    for (JsonValue.Obj message : messages(arguments.getOrDefault("channel", ""))) {
      String ts = message.string("ts").orElseThrow();
      boolean isReply = !message.string("thread_ts").orElse(ts).equals(ts);
      if (!isReply && ts.compareTo(arguments.getOrDefault("oldest", "0")) > 0) {
        found.addFirst(message);
      }
    }
    return page(found, arguments);
  }

  /** The root first, however old it is, then the replies. */
  synchronized JsonValue.Obj replies(Map<String, String> arguments) {
    List<JsonValue.Obj> found = new ArrayList<>();
    String root = arguments.getOrDefault("ts", "");
    for (JsonValue.Obj message : messages(arguments.getOrDefault("channel", ""))) {
      String ts = message.string("ts").orElseThrow();
      boolean isNew = ts.compareTo(arguments.getOrDefault("oldest", "0")) > 0;
      if (ts.equals(root) || (isNew && message.string("thread_ts").equals(Optional.of(root)))) {
        found.add(message);
      }
    }
    return found.isEmpty() ? error("thread_not_found") : page(found, arguments);
  }

  private JsonValue.Obj page(List<JsonValue.Obj> all, Map<String, String> arguments) {
    int from = Integer.parseInt(arguments.getOrDefault("cursor", "0"));
    int limit = Integer.parseInt(arguments.getOrDefault("limit", "100"));
    int to = Math.min(all.size(), from + Math.min(pageSize, limit));
    boolean metadata = "true".equals(arguments.get("include_all_metadata"));
    List<JsonValue> items = new ArrayList<>();
    for (JsonValue.Obj message : all.subList(from, to)) {
      items.add(metadata ? message : without(message, "metadata"));
    }
    boolean more = to < all.size();
    return ok().with("messages", new JsonValue.Arr(items))
        .with("has_more", more)
        .with(
            "response_metadata",
            JsonValue.object().with("next_cursor", more ? Integer.toString(to) : ""));
  }

  static JsonValue.Obj without(JsonValue.Obj object, String field) {
    Map<String, JsonValue> fields = new LinkedHashMap<>(object.fields());
    fields.remove(field);
    return new JsonValue.Obj(fields);
  }

  synchronized JsonValue.Obj post(Map<String, String> arguments) {
    String chat = arguments.getOrDefault("channel", "");
    if (!messages.containsKey(chat)) {
      return error("channel_not_found");
    }
    String text = arguments.getOrDefault("text", "");
    if (text.isEmpty() && !arguments.containsKey("blocks")) {
      return error("no_text");
    }
    Optional<String> wrong = FakeSlackBlocks.problem(arguments.getOrDefault("blocks", "[]"));
    if (wrong.isPresent()) {
      return wrongBlocks(wrong.get());
    }
    String ts = nextTs();
    JsonValue.Obj message =
        JsonValue.object()
            .with("type", "message")
            .with("user", BOT)
            .with("bot_id", BOT_ID)
            .with("text", text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text)
            .with("ts", ts);
    message = inThread(chat, message, Optional.ofNullable(arguments.get("thread_ts")), BOT);
    message = withJson(message, "blocks", arguments);
    message = withJson(message, "metadata", arguments);
    put(chat, message);
    return ok().with("channel", chat).with("ts", ts).with("message", message);
  }

  private static JsonValue.Obj wrongBlocks(String reason) {
    return error("invalid_blocks")
        .with(
            "response_metadata",
            JsonValue.object().with("messages", JsonValue.strings(List.of("[ERROR] " + reason))));
  }

  static JsonValue.Obj withJson(
      JsonValue.Obj message, String field, Map<String, String> arguments) {
    return arguments.containsKey(field)
        ? message.with(field, JsonReader.read(arguments.get(field)))
        : message;
  }

  /** A text without blocks drops the blocks, and so the buttons. */
  synchronized JsonValue.Obj update(Map<String, String> arguments) {
    String chat = arguments.getOrDefault("channel", "");
    String ts = arguments.getOrDefault("ts", "");
    JsonValue.Obj message = message(chat, ts);
    if (message.equals(JsonValue.Obj.EMPTY)) {
      return error("message_not_found");
    }
    if (!message.string("user").equals(Optional.of(BOT))) {
      return error("cant_update_message");
    }
    if (arguments.getOrDefault("text", "").length() > MAX_EDIT) {
      return error("msg_too_long");
    }
    Optional<String> wrong = FakeSlackBlocks.problem(arguments.getOrDefault("blocks", "[]"));
    if (wrong.isPresent()) {
      return wrongBlocks(wrong.get());
    }
    put(
        chat,
        withJson(
            without(message, "blocks").with("text", arguments.getOrDefault("text", "")),
            "blocks",
            arguments));
    return ok().with("channel", chat)
        .with("ts", ts)
        .with("text", arguments.getOrDefault("text", ""));
  }

  synchronized JsonValue.Obj react(String method, Map<String, String> arguments) {
    String name = arguments.getOrDefault("name", "");
    if (!name.matches("[a-z0-9_+-]+")) {
      return error("invalid_name");
    }
    String chat = arguments.getOrDefault("channel", "");
    String ts = arguments.getOrDefault("timestamp", "");
    if (message(chat, ts).equals(JsonValue.Obj.EMPTY)) {
      return error("message_not_found");
    }
    Map<String, List<String>> of =
        reactions.computeIfAbsent(chat + ts, key -> new LinkedHashMap<>());
    if (method.equals("reactions.add")) {
      return of.putIfAbsent(name, List.of(BOT)) == null ? ok() : error("already_reacted");
    }
    return of.remove(name) == null ? error("no_reaction") : ok();
  }

  synchronized JsonValue.Obj reactionsOf(Map<String, String> arguments) {
    List<JsonValue> all = new ArrayList<>();
    reactions
        .getOrDefault(
            arguments.getOrDefault("channel", "") + arguments.getOrDefault("timestamp", ""),
            Map.of())
        .forEach((name, users) ->
            all.add(
                JsonValue.object()
                    .with("name", name)
                    .with("users", JsonValue.strings(users))
                    .with("count", 1)));
    return ok().with("type", "message")
        .with("message", JsonValue.object().with("reactions", new JsonValue.Arr(all)));
  }
}
