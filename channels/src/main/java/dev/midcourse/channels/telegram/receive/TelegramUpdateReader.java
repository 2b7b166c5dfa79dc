package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads an update of Telegram. Every JSON object has a result; fields that are unknown or of a
 * wrong type count as missing.
 */
public final class TelegramUpdateReader {
  private static final Pattern ID = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern QUERY = Pattern.compile("[A-Za-z0-9_-]{1,200}");
  private static final Set<String> GONE = Set.of("left", "kicked");
  private static final int MAX_BUTTON = 64;
  private static final long MAX_SECONDS = 253_402_300_799L; // the year 9999

  private final ChannelName channel;
  private final TelegramBot bot;

  public TelegramUpdateReader(ChannelName channel, TelegramBot bot) {
    this.channel = channel;
    this.bot = bot;
  }

  public TelegramUpdate read(Obj update, Instant now) {
    if (update.get("message").isPresent()) {
      return message(update.object("message"), InboundKind.MESSAGE, update, now);
    }
    if (update.get("edited_message").isPresent()) {
      return message(update.object("edited_message"), InboundKind.EDIT, update, now);
    }
    if (update.get("callback_query").isPresent()) {
      return click(update.object("callback_query"), now);
    }
    if (update.get("my_chat_member").isPresent()) {
      return membership(update.object("my_chat_member"));
    }
    return new TelegramUpdate.Nothing("its kind is not asked for");
  }

  private TelegramUpdate message(Obj message, InboundKind kind, Obj update, Instant now) {
    Optional<String> chat = id(message.object("chat"), "id");
    Optional<String> id = id(message, "message_id");
    if (chat.isEmpty() || id.isEmpty()) {
      return new TelegramUpdate.Nothing("it has no chat or no message_id");
    }
    Optional<String> movedTo = id(message, "migrate_to_chat_id");
    if (movedTo.isPresent()) {
      return moved(chat.get(), movedTo.get());
    }
    Optional<String> movedFrom = id(message, "migrate_from_chat_id");
    if (movedFrom.isPresent()) {
      return moved(movedFrom.get(), chat.get());
    }
    Optional<Sender> sender = sender(message);
    if (sender.isEmpty()) {
      return new TelegramUpdate.Nothing("it has no sender");
    }
    TelegramText text = text(message);
    List<Attachment> attachments = TelegramAttachmentReader.read(message);
    if (text.whole().isBlank() && attachments.isEmpty()) {
      return new TelegramUpdate.Nothing("it has neither text nor a file");
    }
    ChatFacts facts = facts(message);
    return new TelegramUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, chat.get(), id.get()),
            thread(message),
            key(kind, chat.get(), id.get(), message, update),
            kind,
            sender.get(),
            facts,
            text.whole(),
            text.bare(),
            text.mentioned() || facts.kind() == ChatKind.DIRECT,
            replyTo(message),
            attachments,
            time(message, kind == InboundKind.EDIT ? "edit_date" : "date", now)),
        message.string("media_group_id").filter(group -> QUERY.matcher(group).matches()));
  }

  private static TelegramUpdate moved(String from, String to) {
    return new TelegramUpdate.Notice(new ChannelNotice.ChatMoved(from, to));
  }

  /**
   * The number of the update is not part of a new message's key: it starts again anywhere after a
   * week of silence, and a message has the same id for ever.
   */
  private static String key(InboundKind kind, String chat, String id, Obj message, Obj update) {
    return kind == InboundKind.MESSAGE
        ? "message:" + chat + ":" + id
        : "edit:%s:%s:%s:%s"
            .formatted(
                chat,
                id,
                id(message, "edit_date").orElse("0"),
                id(update, "update_id").orElse("0"));
  }

  private TelegramText text(Obj message) {
    TelegramText text = TelegramText.read(message, bot);
    if (!text.whole().isEmpty()) {
      return text;
    }
    String emoji = TelegramText.clean(message.object("sticker").string("emoji").orElse(""));
    return new TelegramText(emoji, emoji.strip(), false);
  }

  private static ChatFacts facts(Obj message) {
    Obj chat = message.object("chat");
    boolean direct = chat.string("type").filter("private"::equals).isPresent();
    return new ChatFacts(
        direct ? ChatKind.DIRECT : ChatKind.GROUP,
        chat.is("is_forum") || message.is("is_topic_message"),
        title(chat));
  }

  private static Optional<String> title(Obj chat) {
    return chat.string("title").or(() -> fullName(chat)).flatMap(TelegramText::name);
  }

  private static Optional<String> fullName(Obj user) {
    String first = user.string("first_name").orElse("");
    String name = first + user.string("last_name").map(last -> " " + last).orElse("");
    return Optional.of(name).filter(whole -> !whole.isBlank()).or(() -> user.string("username"));
  }

  /** Plain replies carry the id of a thread too; only in a topic it is one. */
  private static Optional<String> thread(Obj message) {
    return message.is("is_topic_message") ? id(message, "message_thread_id") : Optional.empty();
  }

  /**
   * The sender. Somebody who writes as a group or a channel is hidden: the account in the message
   * is then one of Telegram, the same for all of them.
   */
  private Optional<Sender> sender(Obj message) {
    if (message.get("sender_chat").isPresent()) {
      String name = title(message.object("sender_chat")).orElse("anonymous");
      return Optional.of(new Sender(Optional.empty(), name, SenderKind.PERSON));
    }
    return user(message.object("from"));
  }

  private Optional<Sender> user(Obj user) {
    return id(user, "id")
        .map(id ->
            new Sender(
                Optional.of(new Identity(channel, id)),
                fullName(user).flatMap(TelegramText::name).orElse(id),
                kind(user, id)));
  }

  private SenderKind kind(Obj user, String id) {
    if (id.equals(bot.id())) {
      return SenderKind.SELF;
    }
    return user.is("is_bot") ? SenderKind.BOT : SenderKind.PERSON;
  }

  private Optional<QuotedMessage> replyTo(Obj message) {
    Obj original = message.object("reply_to_message");
    if (original.get("forum_topic_created").isPresent()) {
      return Optional.empty(); // every message of a topic "replies" to its beginning
    }
    Optional<Sender> author = sender(original);
    return id(original, "message_id")
        .map(id ->
            new QuotedMessage(
                id,
                author.filter(it -> it.kind() == SenderKind.SELF).isPresent(),
                author.map(Sender::name),
                message
                    .object("quote")
                    .string("text")
                    .or(() -> original.string("text"))
                    .or(() -> original.string("caption"))
                    .map(TelegramText::clean)));
  }

  private TelegramUpdate click(Obj query, Instant now) {
    Optional<String> id = query.string("id").filter(text -> QUERY.matcher(text).matches());
    if (id.isEmpty()) {
      return new TelegramUpdate.Nothing("the click has no id");
    }
    Obj card = query.object("message");
    Optional<String> chat = id(card.object("chat"), "id");
    Optional<String> message = id(card, "message_id");
    Optional<Sender> sender = user(query.object("from"));
    Optional<String> button =
        query
            .string("data")
            .filter(data ->
                !data.isBlank()
                    && data.length() <= MAX_BUTTON
                    && data.equals(TelegramText.clean(data)));
    if (chat.isEmpty() || message.isEmpty() || sender.isEmpty() || button.isEmpty()) {
      return new TelegramUpdate.EmptyClick(id.get());
    }
    return new TelegramUpdate.Click(
        new ButtonClick(
            new MessageRef(channel, chat.get(), message.get()),
            "click:" + id.get(),
            sender.get(),
            button.get(),
            now),
        id.get());
  }

  private static TelegramUpdate membership(Obj change) {
    Obj chat = change.object("chat");
    Optional<String> id = id(chat, "id");
    boolean was = isThere(change.object("old_chat_member"));
    boolean is = isThere(change.object("new_chat_member"));
    if (id.isEmpty() || was == is) {
      return new TelegramUpdate.Nothing("the bot is in the chat as before");
    }
    if (is) {
      return new TelegramUpdate.Notice(new ChannelNotice.ChatOpened(id.get(), title(chat)));
    }
    boolean direct = chat.string("type").filter("private"::equals).isPresent();
    String reason = direct ? "the person has blocked the bot" : "the bot was removed from the chat";
    return new TelegramUpdate.Notice(new ChannelNotice.ChatClosed(id.get(), reason));
  }

  private static boolean isThere(Obj member) {
    String status = member.string("status").orElse("left");
    return status.equals("restricted") ? member.is("is_member") : !GONE.contains(status);
  }

  private static Optional<String> id(Obj object, String field) {
    return object
        .get(field)
        .flatMap(value ->
            value instanceof JsonValue.Num(String literal) && ID.matcher(literal).matches()
                ? Optional.of(literal)
                : Optional.empty());
  }

  private static Instant time(Obj message, String field, Instant now) {
    return message
        .number(field)
        .filter(seconds -> seconds > 0 && seconds <= MAX_SECONDS)
        .map(Instant::ofEpochSecond)
        .orElse(now);
  }
}
