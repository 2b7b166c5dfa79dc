package dev.midcourse.channels.xmpp;

import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.StatusEmoji;
import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jivesoftware.smack.SmackException;
import org.jivesoftware.smack.StanzaCollector;
import org.jivesoftware.smack.XMPPConnection;
import org.jivesoftware.smack.XMPPException;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.packet.MessageBuilder;
import org.jivesoftware.smack.packet.StandardExtensionElement;
import org.jivesoftware.smack.packet.Stanza;
import org.jivesoftware.smack.packet.StanzaBuilder;
import org.jivesoftware.smack.packet.StanzaError;
import org.jivesoftware.smackx.mam.MamManager;
import org.jivesoftware.smackx.mam.element.MamElements.MamResultExtension;
import org.jivesoftware.smackx.message_correct.element.MessageCorrectExtension;
import org.jivesoftware.smackx.ping.packet.Ping;
import org.jivesoftware.smackx.sid.element.OriginIdElement;
import org.jxmpp.jid.EntityBareJid;
import org.jxmpp.jid.impl.JidCreate;
import org.jxmpp.stringprep.XmppStringprepException;

/**
 * Sends messages over one connection and waits for the evidence that the server took them: in a
 * room its echo; else the answer to a later ping, since the server works in order.
 */
final class XmppSender {
  static final String ID_PREFIX = "midcourse-";
  private static final Duration EVIDENCE_TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_SEARCHED = 250;
  private static final String REACTIONS = "urn:xmpp:reactions:0";

  private final XMPPConnection connection;
  private final XmppRooms rooms;
  private final XmppIds ids;
  private final Map<String, CompletableFuture<Evidence>> open = new ConcurrentHashMap<>();

  XmppSender(XMPPConnection connection, XmppRooms rooms, XmppIds ids) {
    this.connection = connection;
    this.rooms = rooms;
    this.ids = ids;
  }

  /** What came back about a message. */
  private sealed interface Evidence {
    /** The room sent it to everybody, under this id. */
    record Echo(Optional<String> archiveId) implements Evidence {}

    /** It was refused. */
    record Failure(StanzaError error) implements Evidence {}
  }

  SendResult sendText(OutboundId id, String chat, String markdown, Optional<String> replyTo)
      throws InterruptedException {
    MessageBuilder message = message(id).setBody(MarkdownText.toPlain(markdown));
    replyTo.ifPresent(quoted ->
        message.addExtension(
            StandardExtensionElement.builder("reply", "urn:xmpp:reply:0")
                .addAttribute("id", quoted)
                .build()));
    return send(chat, message);
  }

  /** Replaces a message of ours, which in a room is known by another id than that of the room. */
  SendResult edit(OutboundId id, String chat, String message, String markdown)
      throws InterruptedException {
    Optional<String> first =
        message.startsWith(ID_PREFIX) ? Optional.of(message) : ids.senderIdOf(message);
    if (first.isEmpty()) {
      first = search(chat, found -> found.getId().equals(message)).map(XmppSender::senderId);
    }
    if (first.isEmpty()) {
      return new SendResult.Refused("the message is not in the archive of the room");
    }
    SendResult result =
        send(
            chat,
            message(id)
                .setBody(MarkdownText.toPlain(markdown))
                .addExtension(new MessageCorrectExtension(first.get())));
    return result instanceof SendResult.Sent ? new SendResult.Sent(message) : result;
  }

  /** The reactions of a person on a message are one set, which replaces the one before. */
  SendResult react(OutboundId id, String chat, String message, MessageStatus status)
      throws InterruptedException {
    StandardExtensionElement reaction =
        StandardExtensionElement.builder("reactions", REACTIONS)
            .addAttribute("id", message)
            .addElement(
                StandardExtensionElement.builder("reaction", REACTIONS)
                    .setText(StatusEmoji.of(status))
                    .build())
            .build();
    SendResult result =
        send(
            chat,
            message(id)
                .addExtension(reaction)
                .addExtension(StandardExtensionElement.builder("store", "urn:xmpp:hints").build()));
    return result instanceof SendResult.Sent ? new SendResult.Sent(message) : result;
  }

  private static MessageBuilder message(OutboundId id) {
    String own = ID_PREFIX + id;
    return StanzaBuilder.buildMessage(own).addExtension(new OriginIdElement(own));
  }

  private SendResult send(String chat, MessageBuilder builder) throws InterruptedException {
    EntityBareJid to;
    try {
      to = JidCreate.entityBareFrom(chat);
    } catch (XmppStringprepException e) {
      return new SendResult.Refused("the chat is not an address of XMPP");
    }
    boolean isRoom = rooms.isRoom(to);
    if (isRoom && !rooms.isEntered(to)) {
      return new SendResult.RetryAfter(Duration.ofMinutes(1), "the bot is not in " + to);
    }
    Message message =
        builder.to(to).ofType(isRoom ? Message.Type.groupchat : Message.Type.chat).build();
    CompletableFuture<Evidence> evidence = new CompletableFuture<>();
    open.put(message.getStanzaId(), evidence);
    try (StanzaCollector bounces = bounces(message.getStanzaId())) {
      connection.sendStanza(message);
      if (!isRoom) {
        connection.sendIqRequestAndWaitForResponse(new Ping(connection.getXMPPServiceDomain()));
        evidence.complete(bounce(bounces));
      }
      return result(
          message.getStanzaId(), evidence.get(EVIDENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (SmackException.NotConnectedException e) {
      return new SendResult.Unknown("the connection was cut");
    } catch (XMPPException.XMPPErrorException pingRefused) {
      return result(message.getStanzaId(), new Evidence.Echo(Optional.empty()));
    } catch (SmackException.NoResponseException | TimeoutException | ExecutionException e) {
      return new SendResult.Unknown("the server did not confirm the message");
    } finally {
      open.remove(message.getStanzaId());
    }
  }

  /**
   * Collects the refusals of a message. Unlike a listener, a collector has a stanza before the
   * answer to a later request is returned.
   */
  private StanzaCollector bounces(String stanzaId) {
    return connection.createStanzaCollector(stanza ->
        stanza instanceof Message message
            && message.getType() == Message.Type.error
            && stanzaId.equals(message.getStanzaId()));
  }

  private static Evidence bounce(StanzaCollector bounces) {
    Stanza refused = bounces.pollResult();
    return refused != null && refused.getError() != null
        ? new Evidence.Failure(refused.getError())
        : new Evidence.Echo(Optional.empty());
  }

  private static SendResult result(String ownId, Evidence evidence) {
    return switch (evidence) {
      case Evidence.Echo(var archiveId) -> new SendResult.Sent(archiveId.orElse(ownId));
      case Evidence.Failure(StanzaError error) ->
          error.getType() == StanzaError.Type.WAIT
              ? new SendResult.RetryAfter(
                  Duration.ofSeconds(10), "the server asks to wait: " + error.getCondition())
              : new SendResult.Refused("the server refused it: " + error.getCondition());
    };
  }

  /**
   * Takes a message of the server at once; returns whether it is the evidence for a message of ours
   * that is being sent.
   */
  boolean take(Message message) {
    CompletableFuture<Evidence> waiting =
        message.getStanzaId() == null ? null : open.get(message.getStanzaId());
    if (waiting == null || message.getFrom() == null) {
      return false;
    }
    if (message.getType() == Message.Type.error && message.getError() != null) {
      return waiting.complete(new Evidence.Failure(message.getError()));
    }
    if (!rooms.isUs(message.getFrom())) {
      return false;
    }
    Optional<String> archiveId = XmppIds.archiveId(message, message.getFrom().asBareJid());
    archiveId.ifPresent(id -> ids.remember("", message.getStanzaId(), id));
    return waiting.complete(new Evidence.Echo(archiveId));
  }

  LookUpResult lookUp(OutboundId id, String chat) throws InterruptedException {
    String own = ID_PREFIX + id;
    Optional<MamResultExtension> found = search(chat, result -> own.equals(senderId(result)));
    if (found.isEmpty()) {
      return new LookUpResult.NotKnown("it is not among the newest messages of the archive");
    }
    boolean isRoom =
        found.get().getForwarded().getForwardedStanza().getType() == Message.Type.groupchat;
    return new LookUpResult.Found(isRoom ? found.get().getId() : own);
  }

  private static String senderId(MamResultExtension result) {
    String id = result.getForwarded().getForwardedStanza().getStanzaId();
    return id == null ? "" : id;
  }

  /** Searches the newest messages of the archive of a room, or of ours with this person. */
  private Optional<MamResultExtension> search(String chat, Predicate<MamResultExtension> wanted)
      throws InterruptedException {
    try {
      EntityBareJid with = JidCreate.entityBareFrom(chat);
      MamManager archive =
          rooms.isRoom(with)
              ? MamManager.getInstanceFor(connection, with)
              : MamManager.getInstanceFor(connection);
      MamManager.MamQueryArgs.Builder query =
          MamManager.MamQueryArgs.builder().setResultPageSizeTo(MAX_SEARCHED).queryLastPage();
      if (!rooms.isRoom(with)) {
        query.limitResultsToJid(with);
      }
      return archive.queryArchive(query.build()).getPage().getMamResultExtensions().stream()
          .filter(wanted)
          .findFirst();
    } catch (SmackException | XMPPException | XmppStringprepException e) {
      return Optional.empty();
    }
  }
}
