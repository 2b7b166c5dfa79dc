package dev.midcourse.channels.matrix;

import dev.midcourse.core.RefusedException;
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
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Turns one event of a timeline into what it means. Never fails: what is odd is skipped. */
final class MatrixEventReader {
  private static final Set<String> TEXTS = Set.of("m.text", "m.emote");
  private static final Set<String> FILES = Set.of("m.file", "m.image", "m.audio", "m.video");
  private static final int MAX_NAME = 200;
  private static final long MAX_MILLIS = 253_402_300_799_000L; // the end of the year 9999

  private final ChannelName channel;
  private final MatrixAccount account;
  private final MatrixRooms rooms;
  private final Predicate<String> isOurs;

  /**
   * @param isOurs whether we sent the event with this id
   */
  MatrixEventReader(
      ChannelName channel, MatrixAccount account, MatrixRooms rooms, Predicate<String> isOurs) {
    this.channel = channel;
    this.account = account;
    this.rooms = rooms;
    this.isOurs = isOurs;
  }

  MatrixUpdate read(String room, JsonValue.Obj event) {
    String sender = event.string("sender").orElse("");
    String id = event.string("event_id").orElse("");
    boolean isOwn = sender.equals(account.user());
    if (isOwn || !MatrixIds.isUser(sender) || !MatrixIds.isEvent(id)) {
      return new MatrixUpdate.Skip();
    }
    JsonValue.Obj content = event.object("content");
    try {
      return switch (event.string("type").orElse("")) {
        case "m.room.message" -> message(room, id, sender, event, content);
        case "m.room.redaction" -> redaction(room, id, sender, event, content);
        case "m.room.encrypted" -> new MatrixUpdate.Encrypted();
        case "m.room.tombstone" ->
            content
                .string("replacement_room")
                .filter(MatrixIds::isRoom)
                .<MatrixUpdate>map(MatrixUpdate.Moved::new)
                .orElseGet(MatrixUpdate.Skip::new);
        case "m.room.name" -> new MatrixUpdate.Renamed(content.string("name").orElse(""));
        default -> new MatrixUpdate.Skip();
      };
    } catch (RefusedException odd) {
      return new MatrixUpdate.Skip();
    }
  }

  private MatrixUpdate message(
      String room, String id, String sender, JsonValue.Obj event, JsonValue.Obj content) {
    JsonValue.Obj relation = content.object("m.relates_to");
    boolean isEdit = relation.string("rel_type").filter("m.replace"::equals).isPresent();
    String target = isEdit ? relation.string("event_id").orElse("") : id;
    JsonValue.Obj shown = isEdit ? content.object("m.new_content") : content;
    String type = shown.string("msgtype").orElse("");
    boolean isFile = FILES.contains(type);
    if (!MatrixIds.isEvent(target) || (!TEXTS.contains(type) && !isFile)) {
      return new MatrixUpdate.Skip(); // a notice is written by a program and never answered
    }
    Optional<String> replyTo =
        relation
            .object("m.in_reply_to")
            .string("event_id")
            .filter(MatrixIds::isEvent)
            .filter(it -> !relation.is("is_falling_back"));
    String body = MatrixText.bounded(shown.string("body").orElse(""));
    boolean isNamed = isFile && shown.string("filename").filter(it -> !it.equals(body)).isEmpty();
    String own = replyTo.isPresent() ? MatrixText.withoutReplyQuote(body) : body;
    String text = isNamed ? "" : own;
    boolean isDirect = rooms.isDirect(room);
    boolean isMentioned = shown.object("m.mentions").texts("user_ids").contains(account.user());
    return new MatrixUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, room, target),
            thread(relation),
            id,
            isEdit ? InboundKind.EDIT : InboundKind.MESSAGE,
            sender(sender),
            facts(room),
            text,
            isMentioned || isDirect
                ? MatrixText.withoutMention(text, account.names())
                : text.strip(),
            isMentioned || isDirect,
            replyTo.map(
                it -> new QuotedMessage(it, isOurs.test(it), Optional.empty(), Optional.empty())),
            isFile ? attachments(shown) : List.of(),
            time(event)));
  }

  private MatrixUpdate redaction(
      String room, String id, String sender, JsonValue.Obj event, JsonValue.Obj content) {
    String target = content.string("redacts").or(() -> event.string("redacts")).orElse("");
    if (!MatrixIds.isEvent(target)) {
      return new MatrixUpdate.Skip();
    }
    return new MatrixUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, room, target),
            Optional.empty(),
            id,
            InboundKind.DELETION,
            sender(sender),
            facts(room),
            "",
            "",
            false,
            Optional.empty(),
            List.of(),
            time(event)));
  }

  private Sender sender(String user) {
    return new Sender(Optional.of(new Identity(channel, user)), user, SenderKind.PERSON);
  }

  private ChatFacts facts(String room) {
    ChatKind kind = rooms.isDirect(room) ? ChatKind.DIRECT : ChatKind.GROUP;
    return new ChatFacts(kind, true, rooms.name(room));
  }

  private static Optional<String> thread(JsonValue.Obj relation) {
    return relation.string("rel_type").filter("m.thread"::equals).isPresent()
        ? relation.string("event_id").filter(MatrixIds::isEvent)
        : Optional.empty();
  }

  private static List<Attachment> attachments(JsonValue.Obj content) {
    List<Attachment> files = new ArrayList<>();
    content
        .string("url")
        .filter(MatrixIds::isMedia)
        .ifPresent(url -> {
          JsonValue.Obj info = content.object("info");
          String name = content.string("filename").or(() -> content.string("body")).orElse("file");
          files.add(
              new Attachment(
                  bounded(name),
                  bounded(info.string("mimetype").orElse("application/octet-stream")),
                  Math.max(0, info.number("size").orElse(0L)),
                  url,
                  Optional.empty()));
        });
    return files;
  }

  private static String bounded(String text) {
    String line = MatrixText.clean(text).replaceAll("\\p{Cntrl}+", " ");
    return line.length() <= MAX_NAME
        ? line
        : MatrixText.clean(line.substring(line.length() - MAX_NAME));
  }

  private static Instant time(JsonValue.Obj event) {
    long millis = event.number("origin_server_ts").orElse(0L);
    return Instant.ofEpochMilli(Math.clamp(millis, 0, MAX_MILLIS));
  }
}
