package dev.midcourse.channels.xmpp;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.packet.StandardExtensionElement;
import org.jivesoftware.smackx.message_correct.element.MessageCorrectExtension;
import org.jivesoftware.smackx.muc.packet.MUCUser;
import org.jspecify.annotations.Nullable;
import org.jxmpp.jid.BareJid;
import org.jxmpp.jid.Jid;

/** Reads a message of a person. Everything else is left out. */
final class XmppUpdateReader {
  private static final String REPLY = "urn:xmpp:reply:0";
  static final String FALLBACK = "urn:xmpp:fallback:0";
  private static final int MAX_ADDRESS = 200;

  private final ChannelName channel;
  private final BareJid account;
  private final XmppIds ids;

  XmppUpdateReader(ChannelName channel, BareJid account, XmppIds ids) {
    this.channel = channel;
    this.account = account;
    this.ids = ids;
  }

  /** A message whose place and sender are known. */
  private record Origin(
      Jid from, String chat, boolean isRoom, Optional<BareJid> author, Optional<String> archiveId) {
    /** Who alone may correct the message. */
    String editor() {
      return author.map(BareJid::toString).orElse(from.toString());
    }
  }

  /**
   * Reads a message.
   *
   * @param archiveId its id in the archive of the room, or of our account
   * @param isArchived whether it comes from an archive and not from the live stream
   */
  Optional<InboundMessage> read(
      Message message,
      Optional<String> archiveId,
      boolean isArchived,
      XmppRooms rooms,
      Instant sentAt) {
    Jid from = message.getFrom();
    String body = message.getBody();
    if (from == null || body == null) {
      return Optional.empty();
    }
    boolean isRoom = message.getType() == Message.Type.groupchat;
    boolean isOfRoom = rooms.isRoom(from);
    boolean isOurs = isRoom ? rooms.isUs(from) : from.asBareJid().equals(account);
    boolean isReadable =
        isRoom
            ? isOfRoom && from.hasResource()
            : !isOfRoom
                && (message.getType() == Message.Type.chat
                    || message.getType() == Message.Type.normal);
    if (isOurs) {
      archiveId.ifPresent(id -> rememberOurs(message, id));
      return Optional.empty();
    }
    if (!isReadable || from.toString().length() > MAX_ADDRESS || !from.hasLocalpart()) {
      return Optional.empty();
    }
    Optional<BareJid> author =
        isRoom ? author(message, isArchived, rooms) : Optional.of(from.asBareJid());
    return read(
        message,
        body,
        new Origin(from, from.asBareJid().toString(), isRoom, author, archiveId),
        rooms.nick(from),
        sentAt);
  }

  private void rememberOurs(Message message, String archiveId) {
    if (message.getStanzaId() != null) {
      ids.remember("", message.getStanzaId(), archiveId);
    }
  }

  /**
   * The account of a sender in a room. A live message is from who has the nick now: a sender could
   * write the element of the archive itself. The archive of an anonymous room may contain such an
   * element too. In a room that shows real addresses the server adds its own; Prosody 0.12 keeps
   * that of the sender beside it, so that two elements prove nothing.
   */
  private static Optional<BareJid> author(Message message, boolean isArchived, XmppRooms rooms) {
    if (!isArchived) {
      return rooms.account(message.getFrom());
    }
    List<MUCUser> elements = message.getExtensions(MUCUser.class);
    return elements.size() == 1 && rooms.showsAccounts(message.getFrom())
        ? Optional.ofNullable(elements.getFirst().getItem())
            .map(item -> item.getJid())
            .map(Jid::asBareJid)
        : Optional.empty();
  }

  private Optional<InboundMessage> read(
      Message message, String body, Origin origin, String ourNick, Instant sentAt) {
    Optional<String> own = Optional.ofNullable(message.getStanzaId()).filter(XmppIds::isValid);
    Optional<String> id =
        origin.isRoom() ? origin.archiveId().or(() -> own) : own.or(origin::archiveId);
    String text = plain(withoutFallback(message, body));
    MessageCorrectExtension correction = MessageCorrectExtension.from(message);
    Optional<String> corrected =
        Optional.ofNullable(correction)
            .map(MessageCorrectExtension::getIdInitialMessage)
            .filter(XmppIds::isValid)
            .flatMap(first ->
                origin.isRoom() ? ids.archiveIdOf(origin.editor(), first) : Optional.of(first));
    if (text.isBlank() || id.isEmpty() || (correction != null && corrected.isEmpty())) {
      return Optional.empty();
    }
    if (origin.isRoom() && own.isPresent() && origin.archiveId().isPresent()) {
      ids.remember(origin.editor(), own.get(), corrected.orElse(id.get()));
    }
    Optional<String> call = origin.isRoom() ? withoutCall(text, ourNick) : Optional.empty();
    String name = origin.isRoom() ? origin.from().getResourceOrEmpty().toString() : origin.chat();
    String key = origin.archiveId().orElseGet(() -> "live-" + UUID.randomUUID());
    return Optional.of(
        new InboundMessage(
            new MessageRef(channel, origin.chat(), corrected.orElse(id.get())),
            Optional.empty(),
            (corrected.isPresent() ? "edit:" : "message:") + origin.chat() + ":" + key,
            corrected.isPresent() ? InboundKind.EDIT : InboundKind.MESSAGE,
            new Sender(
                origin.author().map(address -> new Identity(channel, address.toString())),
                plain(name),
                SenderKind.PERSON),
            new ChatFacts(
                origin.isRoom() ? ChatKind.GROUP : ChatKind.DIRECT,
                false,
                Optional.of(origin.chat())),
            text,
            call.orElse(text).strip(),
            !origin.isRoom() || call.isPresent(),
            quoted(message),
            List.of(),
            sentAt));
  }

  private Optional<QuotedMessage> quoted(Message message) {
    return element(message, "reply", REPLY)
        .map(reply -> reply.getAttributeValue("id"))
        .filter(XmppIds::isValid)
        .map(id -> {
          boolean isOurs =
              id.startsWith(XmppSender.ID_PREFIX)
                  || ids.archiveIdOf("", ids.senderIdOf(id).orElse("")).isPresent();
          return new QuotedMessage(id, isOurs, Optional.empty(), Optional.empty());
        });
  }

  /** The body without the quotation that clients add for others that know no replies. */
  private static String withoutFallback(Message message, String body) {
    Optional<StandardExtensionElement> range =
        element(message, "fallback", FALLBACK)
            .filter(fallback -> REPLY.equals(fallback.getAttributeValue("for")))
            .map(fallback -> fallback.getFirstElement("body", FALLBACK));
    int length = body.codePointCount(0, body.length());
    int start = range.map(one -> number(one.getAttributeValue("start"), 0)).orElse(0);
    int end = range.map(one -> number(one.getAttributeValue("end"), length)).orElse(0);
    if (start >= end || end > length) {
      return body;
    }
    return body.substring(0, body.offsetByCodePoints(0, start))
        + body.substring(body.offsetByCodePoints(0, end));
  }

  private static int number(@Nullable String text, int otherwise) {
    return text != null && text.matches("\\d{1,7}") ? Integer.parseInt(text) : otherwise;
  }

  private static Optional<String> withoutCall(String text, String nick) {
    String start = text.stripLeading();
    String bare = start.startsWith("@") ? start.substring(1) : start;
    boolean isCall =
        bare.length() > nick.length()
            && bare.toLowerCase(Locale.ROOT).startsWith(nick.toLowerCase(Locale.ROOT))
            && ":,".indexOf(bare.charAt(nick.length())) >= 0;
    return isCall ? Optional.of(bare.substring(nick.length() + 1)) : Optional.empty();
  }

  static Optional<StandardExtensionElement> element(
      Message message, String name, String namespace) {
    return message.getExtensions().stream()
        .filter(StandardExtensionElement.class::isInstance)
        .map(StandardExtensionElement.class::cast)
        .filter(one -> one.getElementName().equals(name) && one.getNamespace().equals(namespace))
        .findFirst();
  }

  /** The text without control characters. */
  static String plain(String text) {
    return text.replaceAll("[\\p{Cc}&&[^\\n\\t]]", "");
  }
}
