package dev.midcourse.channels.slack.receive;

import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackFiles;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.channels.slack.api.SlackNames;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.route.ChatCommandName;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads messages, edits and deletions. A message has the same key whether it comes as {@code
 * message}, as {@code app_mention} or from the history, so that it has one effect.
 */
final class SlackMessageReader {
  private static final Set<String> OF_AUTHORS =
      Set.of("", "file_share", "thread_broadcast", "me_message", "bot_message");
  private static final Set<String> GONE_FILES = Set.of("tombstone", "hidden_by_limit");
  private static final int MAX_FILES = 50;
  private static final int MAX_URL = 2_000;

  /** The beginning of the ids of slash commands, which have no message in the channel. */
  static final String COMMAND = "command-";

  private final ChannelName channel;
  private final SlackAccount bot;
  private final SlackNames names;

  SlackMessageReader(ChannelName channel, SlackAccount bot, SlackNames names) {
    this.channel = channel;
    this.bot = bot;
    this.names = names;
  }

  /** Reads an event of the types {@code message} and {@code app_mention}. */
  SlackUpdate read(JsonValue.Obj event) {
    Optional<String> chat = event.string("channel").filter(SlackIds::isId);
    if (chat.isEmpty()) {
      return new SlackUpdate.Ignored("it names no channel");
    }
    boolean direct =
        SlackIds.isDirect(chat.get()) || event.string("channel_type").equals(Optional.of("im"));
    return switch (event.string("subtype").orElse("")) {
      case "message_changed" -> changed(chat.get(), direct, event);
      case "message_deleted" ->
          deleted(
              chat.get(),
              direct,
              event.string("deleted_ts").orElse(""),
              event.object("previous_message"));
      case String subtype when OF_AUTHORS.contains(subtype) ->
          event.object("edited").string("ts").isPresent()
              ? edited(chat.get(), direct, event)
              : message(chat.get(), direct, event);
      case String subtype ->
          new SlackUpdate.Ignored("messages of the subtype " + SlackText.cut(subtype, 60));
    };
  }

  /** Reads a message of the history: as it is now, and that it was edited. */
  List<SlackUpdate> history(String chat, JsonValue.Obj message) {
    if (!OF_AUTHORS.contains(message.string("subtype").orElse(""))) {
      return List.of();
    }
    boolean direct = SlackIds.isDirect(chat);
    List<SlackUpdate> updates = new ArrayList<>();
    updates.add(message(chat, direct, message));
    if (message.object("edited").string("ts").isPresent()) {
      updates.add(edited(chat, direct, message));
    }
    return updates;
  }

  private SlackUpdate message(String chat, boolean direct, JsonValue.Obj message) {
    return update(chat, direct, message, InboundKind.MESSAGE, "");
  }

  private SlackUpdate edited(String chat, boolean direct, JsonValue.Obj message) {
    Optional<String> at = message.object("edited").string("ts").filter(SlackIds::isTs);
    return at.isPresent()
        ? update(chat, direct, message, InboundKind.EDIT, ":" + at.get())
        : new SlackUpdate.Ignored("no person changed the message");
  }

  /**
   * Slack also reports a change when it has added the preview of a link: then the text is equal.
   */
  private SlackUpdate changed(String chat, boolean direct, JsonValue.Obj event) {
    JsonValue.Obj message = event.object("message");
    JsonValue.Obj before = event.object("previous_message");
    if (message.string("subtype").equals(Optional.of("tombstone"))) {
      return deleted(chat, direct, message.string("ts").orElse(""), before);
    }
    if (before.string("text").isPresent() && before.string("text").equals(message.string("text"))) {
      return new SlackUpdate.Ignored("the text is unchanged");
    }
    return edited(chat, direct, message);
  }

  private SlackUpdate deleted(String chat, boolean direct, String ts, JsonValue.Obj before) {
    if (!SlackIds.isTs(ts)) {
      return new SlackUpdate.Ignored("the deletion names no message");
    }
    Sender sender = sender(before);
    if (sender.kind() == SenderKind.SELF) {
      return new SlackUpdate.Ignored("it is our own");
    }
    return new SlackUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, chat, ts),
            thread(before, direct, ts),
            "deletion:%s:%s:%s".formatted(bot.team(), chat, ts),
            InboundKind.DELETION,
            sender,
            facts(chat, direct),
            "",
            "",
            direct,
            Optional.empty(),
            List.of(),
            SlackIds.instant(ts)));
  }

  private SlackUpdate update(
      String chat, boolean direct, JsonValue.Obj message, InboundKind kind, String keyEnd) {
    Optional<String> ts = message.string("ts").filter(SlackIds::isTs);
    if (ts.isEmpty()) {
      return new SlackUpdate.Ignored("the message has no id");
    }
    Sender sender = sender(message);
    if (sender.kind() == SenderKind.SELF) {
      return new SlackUpdate.Ignored("it is our own");
    }
    SlackText text =
        SlackText.read(
            message.string("text").orElse(""), bot, id -> names.knownUser(id).orElse(id));
    List<Attachment> files = files(message);
    if (text.whole().isBlank() && files.isEmpty()) {
      return new SlackUpdate.Ignored("it has neither text nor files");
    }
    return new SlackUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, chat, ts.get()),
            thread(message, direct, ts.get()),
            "%s:%s:%s:%s%s".formatted(kind.wire(), bot.team(), chat, ts.get(), keyEnd),
            kind,
            sender,
            facts(chat, direct),
            text.whole(),
            text.bare(),
            text.mentioned() || direct,
            repliedTo(message, ts.get()),
            files,
            SlackIds.instant(ts.get())));
  }

  /** A message in a channel is the root of a thread, in which it is answered. */
  private static Optional<String> thread(JsonValue.Obj message, boolean direct, String ts) {
    Optional<String> thread = message.string("thread_ts").filter(SlackIds::isTs);
    return direct ? thread.filter(root -> !root.equals(ts)) : Optional.of(thread.orElse(ts));
  }

  /**
   * A message in a thread under a message of ours replies to it. Under a message of a person it is
   * not a reply: the thread alone decides, so that a muted thread stays mute.
   */
  private Optional<QuotedMessage> repliedTo(JsonValue.Obj message, String ts) {
    boolean ours = message.string("parent_user_id").equals(Optional.of(bot.user()));
    return message
        .string("thread_ts")
        .filter(SlackIds::isTs)
        .filter(root -> ours && !root.equals(ts))
        .map(root -> new QuotedMessage(root, true, Optional.empty(), Optional.empty()));
  }

  /** Who wrote it. A message with the id of a bot is never one of a person. */
  private Sender sender(JsonValue.Obj message) {
    Optional<String> user = message.string("user").filter(SlackIds::isId);
    Optional<String> program = message.string("bot_id").filter(SlackIds::isId);
    if (user.equals(Optional.of(bot.user()))
        || (program.isPresent() && program.equals(bot.bot()))) {
      return new Sender(
          Optional.of(new Identity(channel, bot.user())), bot.name(), SenderKind.SELF);
    }
    if (program.isPresent()
        || user.equals(Optional.of("USLACKBOT"))
        || message.string("subtype").equals(Optional.of("bot_message"))) {
      Optional<String> id = user.or(() -> program);
      return new Sender(
          id.map(it -> new Identity(channel, it)),
          message
              .string("username")
              .flatMap(SlackIds::name)
              .or(() -> message.object("bot_profile").string("name").flatMap(SlackIds::name))
              .or(() -> id)
              .orElse("a bot"),
          SenderKind.BOT);
    }
    return new Sender(
        user.map(it -> new Identity(channel, it)),
        user.map(it -> names.user(it).orElse(it)).orElse("somebody"),
        SenderKind.PERSON);
  }

  private ChatFacts facts(String chat, boolean direct) {
    return direct
        ? new ChatFacts(ChatKind.DIRECT, false, Optional.empty())
        : new ChatFacts(ChatKind.GROUP, true, names.chat(chat));
  }

  private static List<Attachment> files(JsonValue.Obj message) {
    return message.objects("files").stream()
        .limit(MAX_FILES)
        .filter(file -> !GONE_FILES.contains(file.string("mode").orElse("")))
        .flatMap(file -> file(file).stream())
        .toList();
  }

  /** A file without an address, as from another organisation, is fetched by its id. */
  private static Optional<Attachment> file(JsonValue.Obj file) {
    Optional<String> reference =
        file.string("url_private_download")
            .or(() -> file.string("url_private"))
            .filter(url -> url.length() <= MAX_URL && SlackFiles.isAddress(url))
            .or(() -> file.string("id").filter(SlackIds::isId));
    return reference.map(it ->
        new Attachment(
            file.string("name")
                .or(() -> file.string("title"))
                .flatMap(SlackIds::name)
                .orElse("file"),
            file.string("mimetype").flatMap(SlackIds::name).orElse("application/octet-stream"),
            Math.max(0, file.number("size").orElse(0L)),
            it,
            Optional.empty()));
  }

  /** A slash command; {@code /midcourse stop} is the command {@code /stop} of every chat. */
  SlackUpdate command(String chat, Sender sender, String trigger, String text, Instant now) {
    boolean direct = SlackIds.isDirect(chat);
    SlackText read = SlackText.read(text, bot, id -> names.knownUser(id).orElse(id));
    String bare = read.bare();
    String word = "/" + bare.split("\\s", 2)[0];
    String meant = ChatCommandName.of(word).isPresent() ? "/" + bare : bare;
    if (meant.isEmpty()) {
      meant = ChatCommandName.HELP.word();
    }
    return new SlackUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, chat, COMMAND + trigger),
            Optional.empty(),
            "command:%s:%s".formatted(bot.team(), trigger),
            InboundKind.MESSAGE,
            sender,
            facts(chat, direct),
            meant,
            meant,
            true,
            Optional.empty(),
            List.of(),
            now));
  }
}
