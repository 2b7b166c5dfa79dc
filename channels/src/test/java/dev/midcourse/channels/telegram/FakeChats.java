package dev.midcourse.channels.telegram;

import dev.midcourse.core.Utf8;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The chats of a fake Telegram, with the refusals of the real one. */
final class FakeChats {
  private static final Pattern TAG = Pattern.compile("<(/?)([a-z]+)([^<>]*)>|<");
  private static final Set<String> TAGS =
      Set.of("b", "i", "u", "s", "code", "pre", "a", "blockquote", "span");
  private static final Set<String> REACTIONS =
      Set.of("👍", "👎", "❤", "🔥", "👀", "✍", "👌", "🤔", "🤷", "🙊", "😱", "🎉");
  private static final int MAX_TEXT = 4_096;
  private static final int MAX_CAPTION = 1_024;
  private static final int MAX_BUTTON_BYTES = 64;

  /** A refusal, as Telegram describes it. */
  static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
    private final int code;
    private final transient Obj parameters;

    Refusal(int code, String description) {
      this(code, description, Obj.EMPTY);
    }

    Refusal(int code, String description, Obj parameters) {
      super(description);
      this.code = code;
      this.parameters = parameters;
    }

    int code() {
      return code;
    }

    Obj parameters() {
      return parameters;
    }
  }

  /** A message of the bot. */
  record Sent(long chat, long id, Obj parameters) {}

  private final Map<Long, Sent> messages = new LinkedHashMap<>();
  private final Map<Long, Long> moved = new HashMap<>();
  private final Map<Long, Set<String>> allowedReactions = new HashMap<>();
  private final Set<Long> left = new HashSet<>();
  private final Set<Long> topics = new HashSet<>();
  private final Map<String, String> reactions = new LinkedHashMap<>();
  private long nextId = 1_000;

  synchronized void move(long from, long to) {
    moved.put(from, to);
  }

  synchronized void leave(long chat) {
    left.add(chat);
  }

  synchronized void openTopic(long thread) {
    topics.add(thread);
  }

  synchronized void allowReactions(long chat, Set<String> emoji) {
    allowedReactions.put(chat, Set.copyOf(emoji));
  }

  synchronized Sent message(long id) {
    return Optional.ofNullable(messages.get(id)).orElseThrow();
  }

  synchronized List<Sent> messages() {
    return List.copyOf(messages.values());
  }

  /** The reaction of the bot on a message. */
  synchronized Optional<String> reaction(long chat, long message) {
    return Optional.ofNullable(reactions.get(chat + ":" + message));
  }

  synchronized Sent send(Obj parameters, boolean isFile) throws Refusal {
    long chat = chat(parameters);
    String field = isFile ? "caption" : "text";
    checkText(parameters, field, isFile ? MAX_CAPTION : MAX_TEXT, isFile);
    Optional<Long> thread = parameters.number("message_thread_id");
    if (thread.isPresent() && !topics.contains(thread.get())) {
      throw new Refusal(400, "Bad Request: message thread not found");
    }
    checkButtons(parameters);
    Sent sent = new Sent(chat, nextId++, parameters);
    messages.put(sent.id(), sent);
    return sent;
  }

  synchronized Sent edit(Obj parameters) throws Refusal {
    long chat = chat(parameters);
    Sent before = messages.get(parameters.number("message_id").orElse(0L));
    if (before == null || before.chat() != chat) {
      throw new Refusal(400, "Bad Request: message to edit not found");
    }
    checkText(parameters, "text", MAX_TEXT, false);
    boolean isSame =
        before.parameters().string("text").equals(parameters.string("text"))
            && before.parameters().get("reply_markup").equals(parameters.get("reply_markup"));
    if (isSame) {
      throw new Refusal(
          400,
          "Bad Request: message is not modified: specified new message content and reply markup are"
              + " exactly the same as a current content and reply markup of the message");
    }
    Sent after = new Sent(chat, before.id(), parameters);
    messages.put(after.id(), after);
    return after;
  }

  synchronized void react(Obj parameters) throws Refusal {
    long chat = chat(parameters);
    Set<String> allowed = allowedReactions.getOrDefault(chat, REACTIONS);
    String key = chat + ":" + parameters.number("message_id").orElse(0L);
    if (parameters.objects("reaction").isEmpty()) {
      reactions.remove(key);
    }
    for (Obj reaction : parameters.objects("reaction")) {
      String emoji = reaction.string("emoji").orElse("");
      if (!allowed.contains(emoji)) {
        throw new Refusal(400, "Bad Request: REACTION_INVALID");
      }
      reactions.put(key, emoji);
    }
  }

  /** The chat of a call, if the bot may write there. */
  synchronized long chat(Obj parameters) throws Refusal {
    long chat =
        parameters
            .number("chat_id")
            .orElseThrow(() -> new Refusal(400, "Bad Request: chat_id is empty"));
    if (moved.containsKey(chat)) {
      throw new Refusal(
          400,
          "Bad Request: group chat was upgraded to a supergroup chat",
          Obj.EMPTY.with("migrate_to_chat_id", moved.getOrDefault(chat, 0L)));
    }
    if (left.contains(chat)) {
      throw new Refusal(403, "Forbidden: bot was kicked from the supergroup chat");
    }
    return chat;
  }

  private static void checkText(Obj parameters, String field, int max, boolean mayBeEmpty)
      throws Refusal {
    String text = parameters.string(field).orElse("");
    String shown = text;
    if (parameters.string("parse_mode").filter("HTML"::equals).isPresent()) {
      checkHtml(text);
      shown =
          text.replaceAll("<[^>]*>", "")
              .replace("&lt;", "<")
              .replace("&gt;", ">")
              .replace("&quot;", "\"")
              .replace("&amp;", "&");
    }
    if (shown.isBlank() && !mayBeEmpty) {
      throw new Refusal(400, "Bad Request: message text is empty");
    }
    if (shown.codePointCount(0, shown.length()) > max) {
      throw new Refusal(400, "Bad Request: message is too long");
    }
  }

  private static void checkHtml(String html) throws Refusal {
    Deque<String> open = new ArrayDeque<>();
    Matcher tags = TAG.matcher(html);
    while (tags.find()) {
      String name = tags.group(2);
      if (name == null || !TAGS.contains(name)) {
        throw new Refusal(
            400,
            "Bad Request: can't parse entities: Unsupported start tag at byte offset "
                + tags.start());
      }
      if (tags.group(1).isEmpty()) {
        open.push(name);
      } else if (!name.equals(open.poll())) {
        throw new Refusal(400, "Bad Request: can't parse entities: Unmatched end tag");
      }
    }
    if (!open.isEmpty()) {
      throw new Refusal(400, "Bad Request: can't parse entities: Can't find end tag");
    }
  }

  private static void checkButtons(Obj parameters) throws Refusal {
    if (!(parameters.object("reply_markup").get("inline_keyboard").orElse(null)
        instanceof JsonValue.Arr rows)) {
      return;
    }
    for (JsonValue row : rows.values()) {
      if (row instanceof JsonValue.Arr buttons) {
        for (Obj button : buttons.objects()) {
          int bytes = Utf8.length(button.string("callback_data").orElse(""));
          if (bytes < 1 || bytes > MAX_BUTTON_BYTES) {
            throw new Refusal(400, "Bad Request: BUTTON_DATA_INVALID");
          }
        }
      }
    }
  }
}
