package dev.midcourse.channels.wire;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Reads the body of a request, as {@code docs/webhook.schema.json} describes it. Refuses everything
 * else with field and rule.
 */
public final class UpdateReader {
  private static final int MAX_ID = 200;
  private static final int MAX_NAME = 200;

  private static final int MAX_FILES = 20;
  private static final int MAX_PATH = 500;

  private final ChannelName channel;
  private final Instant now;
  private final boolean takesFiles;

  /** A reader that refuses files. */
  public UpdateReader(ChannelName channel, Instant now) {
    this(channel, now, false);
  }

  private UpdateReader(ChannelName channel, Instant now, boolean takesFiles) {
    this.channel = channel;
    this.now = now;
    this.takesFiles = takesFiles;
  }

  /** A reader that takes files in the folder of a channel program. */
  public UpdateReader withFiles() {
    return new UpdateReader(channel, now, true);
  }

  /** What an update reports. */
  private enum Type {
    MESSAGE,
    EDIT,
    DELETION,
    CLICK
  }

  /** The chat and the thread. */
  private record Place(String chat, ChatFacts facts) {}

  public ChannelUpdate read(String body) {
    ObjectReader fields = new ObjectReader(object(body));
    Type type = fields.optional("type", Type.class).orElse(Type.MESSAGE);
    Optional<String> message = fields.required("message_id", UpdateReader::id);
    Optional<String> update =
        type == Type.MESSAGE
            ? fields.optional("update_id", UpdateReader::id)
            : fields.required("update_id", UpdateReader::id);
    Optional<Instant> sentAt = fields.optional("sent_at", UpdateReader::instant);
    Optional<Place> chat = fields.requiredObject("chat").map(this::place);
    Optional<Sender> sender = fields.requiredObject("sender").flatMap(this::sender);
    if (type == Type.CLICK) {
      Optional<String> button = fields.required("button", UpdateReader::id);
      fields.finish();
      return new ChannelUpdate.Click(
          new ButtonClick(
              new MessageRef(channel, chat.orElseThrow().chat(), message.orElseThrow()),
              "click:" + update.orElseThrow(),
              sender.orElseThrow(),
              button.orElseThrow(),
              sentAt.orElse(now)));
    }
    Optional<String> thread = fields.optional("thread", UpdateReader::id);
    Optional<String> text =
        type == Type.DELETION ? Optional.of("") : fields.required("text", whole -> whole);
    Optional<String> bareText =
        type == Type.DELETION ? Optional.empty() : fields.optional("bare_text");
    boolean mentioned = type != Type.DELETION && fields.flag("mentioned");
    Optional<QuotedMessage> replyTo =
        type == Type.DELETION || fields.optionalValue("reply_to").isEmpty()
            ? Optional.empty()
            : fields.requiredObject("reply_to").flatMap(UpdateReader::quoted);
    List<Attachment> files = takesFiles ? files(fields) : List.of();
    fields.finish();
    Place place = chat.orElseThrow();
    return new ChannelUpdate.Message(
        new InboundMessage(
            new MessageRef(channel, place.chat(), message.orElseThrow()),
            thread,
            update
                .map(id -> WireNames.name(type) + ":" + id)
                .orElseGet(() -> "message:" + place.chat() + ":" + message.get()),
            kind(type),
            sender.orElseThrow(),
            place.facts(),
            text.orElseThrow(),
            bareText.orElseGet(text::get).strip(),
            mentioned || place.facts().kind() == ChatKind.DIRECT,
            replyTo,
            files,
            sentAt.orElse(now)));
  }

  private static List<Attachment> files(ObjectReader fields) {
    if (!(fields.optionalValue("files").orElse(new JsonValue.Null())
        instanceof JsonValue.Arr files)) {
      return List.of();
    }
    if (files.values().size() > MAX_FILES) {
      fields.report("files", "at most " + MAX_FILES + " files");
      return List.of();
    }
    return files.objects().stream()
        .map(file -> {
          String path = shaped(file.string("path").orElse(""), MAX_PATH);
          return new Attachment(
              file.string("name").map(UpdateReader::name).orElse(path),
              file.string("media_type").map(UpdateReader::name).orElse("application/octet-stream"),
              Math.max(0, file.number("bytes").orElse(0L)),
              path,
              Optional.empty());
        })
        .toList();
  }

  private static JsonValue.Obj object(String body) {
    try {
      return JsonReader.readObject(body);
    } catch (JsonException e) {
      throw new RefusedException(
          Problem.invalid("body", "one JSON object", "the body is not JSON: " + e.getMessage()), e);
    }
  }

  private static InboundKind kind(Type type) {
    return switch (type) {
      case MESSAGE, CLICK -> InboundKind.MESSAGE;
      case EDIT -> InboundKind.EDIT;
      case DELETION -> InboundKind.DELETION;
    };
  }

  private Place place(ObjectReader chat) {
    Optional<String> id = chat.required("id", UpdateReader::id);
    Optional<ChatKind> kind = chat.required("kind", ChatKind.class);
    boolean threads = chat.flag("threads");
    Optional<String> name = chat.optional("name", UpdateReader::name);
    chat.finish();
    return new Place(id.orElseThrow(), new ChatFacts(kind.orElseThrow(), threads, name));
  }

  private Optional<Sender> sender(ObjectReader sender) {
    Optional<Identity> identity = sender.required("id", id -> new Identity(channel, id));
    Optional<String> name = sender.optional("name", UpdateReader::name);
    SenderKind kind = sender.optional("kind", SenderKind.class).orElse(SenderKind.PERSON);
    sender.finish();
    return Optional.of(
        new Sender(identity, name.orElseGet(() -> identity.orElseThrow().handle()), kind));
  }

  private static Optional<QuotedMessage> quoted(ObjectReader quoted) {
    Optional<String> message = quoted.required("message_id", UpdateReader::id);
    boolean ours = quoted.flag("ours");
    Optional<String> sender = quoted.optional("sender", UpdateReader::name);
    Optional<String> text = quoted.optional("text");
    quoted.finish();
    return message.map(id -> new QuotedMessage(id, ours, sender, text));
  }

  private static String id(String text) {
    return shaped(text, MAX_ID);
  }

  private static String name(String text) {
    return shaped(text, MAX_NAME);
  }

  private static String shaped(String text, int max) {
    if (text.isBlank()
        || text.length() > max
        || text.codePoints().anyMatch(Character::isISOControl)) {
      String rule = "1 to " + max + " characters without control characters";
      throw Problem.invalid("", rule, "must have " + rule).refused();
    }
    return text;
  }

  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new RefusedException(
          Problem.invalid(
              "",
              "a time with its offset, such as 2026-03-01T10:00:00Z",
              "must be a time with its offset; got " + WireNames.shown(text)),
          e);
    }
  }
}
