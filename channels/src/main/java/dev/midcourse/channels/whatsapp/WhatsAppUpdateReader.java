package dev.midcourse.channels.whatsapp;

import dev.midcourse.core.RefusedException;
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
import dev.midcourse.core.json.JsonValue;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a delivery. What is not understood is left out; no delivery makes it fail. */
final class WhatsAppUpdateReader {
  private static final System.Logger LOG = System.getLogger(WhatsAppUpdateReader.class.getName());
  private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]{1,200}");
  private static final Pattern MEDIA_ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");
  private static final Set<String> MEDIA = Set.of("image", "document", "audio", "video", "sticker");
  private static final int MAX_NAME = 200;

  private final ChannelName channel;
  private final String phone;
  private final Instant now;

  WhatsAppUpdateReader(ChannelName channel, String phone, Instant now) {
    this.channel = channel;
    this.phone = phone;
    this.now = now;
  }

  List<WhatsAppUpdate> read(JsonValue.Obj body) {
    List<WhatsAppUpdate> updates = new ArrayList<>();
    for (JsonValue.Obj entry : body.objects("entry")) {
      for (JsonValue.Obj change : entry.objects("changes")) {
        JsonValue.Obj value = change.object("value");
        boolean isOurs =
            value.object("metadata").text("phone_number_id").map(phone::equals).orElse(true);
        if (isOurs) {
          readValue(value, updates);
        }
      }
    }
    return updates;
  }

  private void readValue(JsonValue.Obj value, List<WhatsAppUpdate> updates) {
    for (JsonValue.Obj update : value.objects("user_id_update")) {
      moved(update).ifPresent(updates::add);
    }
    for (JsonValue.Obj message : value.objects("messages")) {
      try {
        message(message, value.objects("contacts")).ifPresent(updates::add);
      } catch (RefusedException e) {
        LOG.log(
            Level.WARNING,
            "A message of the channel {0} is left out: {1}",
            channel,
            e.description());
      }
    }
    for (JsonValue.Obj status : value.objects("statuses")) {
      undelivered(status).ifPresent(updates::add);
    }
  }

  /** The stable id of a user; the phone number only where the platform gives no such id. */
  private static Optional<String> userId(JsonValue.Obj object, String stable, String number) {
    return object
        .text(stable)
        .filter(id -> ID.matcher(id).matches())
        .or(() -> object.text(number).filter(id -> ID.matcher(id).matches()));
  }

  private static Optional<WhatsAppUpdate> moved(JsonValue.Obj update) {
    JsonValue.Obj ids = update.object("user_id");
    Optional<String> before = ids.text("previous").filter(id -> ID.matcher(id).matches());
    Optional<String> after = ids.text("current").filter(id -> ID.matcher(id).matches());
    return before.isPresent() && after.isPresent()
        ? Optional.of(new WhatsAppUpdate.Moved(before.get(), after.get()))
        : Optional.empty();
  }

  private Optional<WhatsAppUpdate> message(JsonValue.Obj message, List<JsonValue.Obj> contacts) {
    Optional<String> user = userId(message, "from_user_id", "from");
    Optional<String> id = message.string("id").filter(text -> ID.matcher(text).matches());
    if (user.isEmpty() || id.isEmpty() || message.get("group_id").isPresent()) {
      return Optional.empty();
    }
    Sender sender =
        new Sender(
            Optional.of(new Identity(channel, user.get())),
            name(user.get(), contacts),
            SenderKind.PERSON);
    MessageRef ref = new MessageRef(channel, user.get(), id.get());
    String type = message.string("type").orElse("");
    Optional<String> button = type.equals("interactive") ? button(message) : Optional.empty();
    Optional<String> card = quotedId(message);
    if (button.isPresent()) {
      return card.map(of ->
          new WhatsAppUpdate.Click(
              new ButtonClick(
                  new MessageRef(channel, user.get(), of),
                  "click:" + id.get(),
                  sender,
                  button.get(),
                  time(message))));
    }
    Optional<Attachment> file = MEDIA.contains(type) ? file(message, type) : Optional.empty();
    String text = plain(text(message, type));
    if (text.isBlank() && file.isEmpty()) {
      return Optional.empty(); // a reaction, a place, a contact, or a kind of the future
    }
    return Optional.of(
        new WhatsAppUpdate.Message(
            new InboundMessage(
                ref,
                Optional.empty(),
                "message:" + id.get(),
                InboundKind.MESSAGE,
                sender,
                new ChatFacts(ChatKind.DIRECT, false, Optional.of(sender.name())),
                text,
                text.strip(),
                true,
                card.map(of -> quoted(message, of)),
                file.stream().toList(),
                time(message))));
  }

  private static Optional<String> button(JsonValue.Obj message) {
    JsonValue.Obj interactive = message.object("interactive");
    return interactive
        .object("button_reply")
        .string("id")
        .or(() -> interactive.object("list_reply").string("id"))
        .filter(id -> ID.matcher(id).matches());
  }

  private static Optional<String> quotedId(JsonValue.Obj message) {
    return message.object("context").string("id").filter(id -> ID.matcher(id).matches());
  }

  /** The context names the sender of the quoted message: one that is not the person is ours. */
  private static QuotedMessage quoted(JsonValue.Obj message, String id) {
    Optional<String> author = userId(message.object("context"), "from_user_id", "from");
    boolean isPerson =
        author.isPresent()
            && (author.equals(message.text("from_user_id")) || author.equals(message.text("from")));
    return new QuotedMessage(id, author.isPresent() && !isPerson, author, Optional.empty());
  }

  private static String text(JsonValue.Obj message, String type) {
    return switch (type) {
      case "text" -> message.object("text").string("body").orElse("");
      case "button" -> message.object("button").string("text").orElse("");
      default -> message.object(type).string("caption").orElse("");
    };
  }

  private static Optional<Attachment> file(JsonValue.Obj message, String type) {
    JsonValue.Obj media = message.object(type);
    String mediaType = media.string("mime_type").orElse("application/octet-stream");
    return media
        .string("id")
        .filter(id -> MEDIA_ID.matcher(id).matches())
        .map(id ->
            new Attachment(
                cut(plain(media.string("filename").orElse(type)), MAX_NAME),
                cut(plain(mediaType), MAX_NAME),
                0,
                id,
                Optional.empty()));
  }

  private static String name(String user, List<JsonValue.Obj> contacts) {
    return contacts.stream()
        .filter(contact ->
            contact.text("user_id").equals(Optional.of(user))
                || contact.text("wa_id").equals(Optional.of(user)))
        .flatMap(contact -> contact.object("profile").string("name").stream())
        .map(name -> cut(plain(name).replace('\n', ' ').strip(), MAX_NAME))
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElse(user);
  }

  private Instant time(JsonValue.Obj message) {
    return message
        .text("timestamp")
        .filter(text -> text.matches("\\d{1,11}"))
        .map(text -> Instant.ofEpochSecond(Long.parseLong(text)))
        .filter(time -> time.isBefore(now))
        .orElse(now);
  }

  private Optional<WhatsAppUpdate> undelivered(JsonValue.Obj status) {
    Optional<String> chat = userId(status, "recipient_user_id", "recipient_id");
    Optional<String> id = status.string("id").filter(text -> ID.matcher(text).matches());
    if (!status.string("status").orElse("").equals("failed") || chat.isEmpty() || id.isEmpty()) {
      return Optional.empty();
    }
    JsonValue.Obj error = status.objects("errors").stream().findFirst().orElse(JsonValue.Obj.EMPTY);
    return Optional.of(
        new WhatsAppUpdate.Undelivered(chat.get(), id.get(), WhatsAppError.read(error)));
  }

  private static String plain(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
        .map(c -> Character.getType(c) == Character.SURROGATE ? 0xfffd : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  private static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
    return text.substring(0, end);
  }
}
