package dev.midcourse.channels.xmpp;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.ReceiveLoop.Connection;
import dev.midcourse.channels.connection.UpdateDelivery;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jivesoftware.smack.ConnectionListener;
import org.jivesoftware.smack.SmackException;
import org.jivesoftware.smack.XMPPException;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.packet.Presence;
import org.jivesoftware.smack.packet.Stanza;
import org.jivesoftware.smack.packet.StanzaError;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smackx.delay.packet.DelayInformation;
import org.jivesoftware.smackx.mam.MamManager;
import org.jivesoftware.smackx.mam.element.MamElements.MamResultExtension;
import org.jivesoftware.smackx.ping.packet.Ping;
import org.jxmpp.jid.BareJid;
import org.jxmpp.jid.Jid;

/**
 * One connection: takes every stanza in its order. What was written before the connection comes
 * from the archives, whose position is stored after a message is durable.
 */
final class XmppSession {
  private static final System.Logger LOG = System.getLogger(XmppSession.class.getName());
  private static final Duration PING_INTERVAL = Duration.ofSeconds(60);
  private static final int PAGE = 50;
  private static final int MAX_WAITING = 10_000;

  private final XmppSettings settings;
  private final ChannelContext context;
  private final ChannelListener listener;
  private final XMPPTCPConnection connection;
  private final XmppRooms rooms;
  private final XmppSender sender;
  private final XmppUpdateReader reader;
  private final UpdateDelivery delivery;

  /** An empty element says that the connection was lost. */
  private final BlockingQueue<Optional<Stanza>> stanzas = new LinkedBlockingQueue<>(MAX_WAITING);

  XmppSession(
      XmppSettings settings,
      ChannelContext context,
      ChannelListener listener,
      XMPPTCPConnection connection,
      XmppRooms rooms,
      XmppSender sender,
      XmppUpdateReader reader) {
    this.settings = settings;
    this.context = context;
    this.listener = listener;
    this.connection = connection;
    this.rooms = rooms;
    this.sender = sender;
    this.reader = reader;
    this.delivery = new UpdateDelivery(settings.name());
  }

  void run(Connection loop) throws IOException, InterruptedException {
    connection.addSyncStanzaListener(
        stanza -> {
          boolean isEvidence = stanza instanceof Message message && sender.take(message);
          if (!isEvidence || stanza.getError() == null) {
            stanzas.put(Optional.of(stanza));
          }
        },
        stanza -> stanza instanceof Presence || stanza instanceof Message);
    connection.addConnectionListener(
        new ConnectionListener() {
          @Override
          public void connectionClosedOnError(Exception reason) {
            Thread.ofVirtual().start(XmppSession.this::endQueue);
          }
        });
    try {
      catchUp(settings.account());
      connection.sendStanza(connection.getStanzaFactory().buildPresenceStanza().build());
      rooms.enterAll();
      loop.opened();
      while (loop.isWanted()) {
        Optional<Stanza> next = stanzas.poll(PING_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
          connection.sendIqRequestAndWaitForResponse(new Ping(connection.getXMPPServiceDomain()));
          continue;
        }
        switch (next.orElseThrow(() -> new IOException("the connection was lost"))) {
          case Message message -> take(message);
          case Presence presence -> {
            Optional<? extends BareJid> entered = rooms.take(presence);
            if (entered.isPresent()) {
              catchUp(entered.get());
            }
          }
          case Stanza _ -> {}
        }
      }
    } catch (SmackException | XMPPException e) {
      throw new IOException(settings.password().redact(String.valueOf(e.getMessage())));
    }
  }

  private void endQueue() {
    try {
      stanzas.put(Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(Message message) throws InterruptedException {
    Jid from = message.getFrom();
    boolean isResult = MamResultExtension.from(message) != null;
    if (from == null || isResult) {
      return;
    }
    if (message.getType() == Message.Type.error) {
      takeLateError(message);
      return;
    }
    boolean isRoom = message.getType() == Message.Type.groupchat;
    BareJid archive = isRoom ? from.asBareJid() : settings.account();
    Optional<String> archiveId = XmppIds.archiveId(message, archive);
    boolean isLate = DelayInformation.from(message) != null;
    if (isLate && archiveId.isEmpty() && position(archive).isPresent()) {
      return; // it was kept for us, and the archive has given it already, with its id
    }
    receive(message, archiveId, false, context.clock().instant());
    archiveId.ifPresent(id -> store(archive, id));
  }

  /** The server of a person may refuse a message after ours has taken it. */
  private void takeLateError(Message message) throws InterruptedException {
    String id = message.getStanzaId();
    StanzaError error = message.getError();
    if (id != null && id.startsWith(XmppSender.ID_PREFIX) && error != null) {
      delivery.deliver(() ->
          listener.reportUndelivered(
              settings.name(), id, "the server answered later: " + error.getCondition()));
    }
  }

  /** Empty before the first time; an empty text if the archive was empty then. */
  private Optional<String> position(BareJid archive) {
    return context.state().get("archive:" + archive);
  }

  private void store(BareJid archive, String id) {
    context.state().put("archive:" + archive, id);
  }

  /** Takes what an archive has after the position; at the very first time, only its position. */
  private void catchUp(BareJid archive) throws SmackException, XMPPException, InterruptedException {
    MamManager mam =
        archive.equals(settings.account())
            ? MamManager.getInstanceFor(connection)
            : MamManager.getInstanceFor(connection, archive);
    try {
      Optional<String> after = position(archive);
      if (after.isEmpty()) {
        first(mam, archive);
        return;
      }
      boolean isComplete = false;
      while (!isComplete) {
        MamManager.MamQueryArgs.Builder next =
            MamManager.MamQueryArgs.builder().setResultPageSizeTo(PAGE);
        position(archive).filter(id -> !id.isEmpty()).ifPresent(next::afterUid);
        var query = mam.queryArchive(next.build());
        List<MamResultExtension> page = query.getPage().getMamResultExtensions();
        for (MamResultExtension result : page) {
          takeArchived(result);
          store(archive, result.getId());
        }
        isComplete = query.isComplete() || page.isEmpty();
      }
    } catch (XMPPException.XMPPErrorException e) {
      noArchive(mam, archive, e);
    }
    context.state().put("seen", context.clock().instant().toString());
  }

  private void first(MamManager mam, BareJid archive)
      throws SmackException, XMPPException, InterruptedException {
    String newest = mam.getMessageUidOfLatestMessage();
    store(archive, newest == null ? "" : newest);
  }

  /** The server has no archive, or has deleted the message of the position. */
  private void noArchive(MamManager mam, BareJid archive, XMPPException.XMPPErrorException error)
      throws SmackException, XMPPException, InterruptedException {
    LOG.log(
        Level.WARNING,
        "The channel {0} cannot fetch what was written to {1} while it was away: {2}",
        settings.name(),
        archive,
        String.valueOf(error.getMessage()));
    Instant now = context.clock().instant();
    Instant from = context.state().get("seen").map(Instant::parse).orElse(now);
    if (position(archive).isPresent() || from.isBefore(now)) {
      Optional<String> chat =
          archive.equals(settings.account()) ? Optional.empty() : Optional.of(archive.toString());
      listener.notice(settings.name(), new ChannelNotice.Gap(chat, from, now, "messages"));
    }
    if (position(archive).isPresent()) {
      try {
        first(mam, archive);
      } catch (XMPPException.XMPPErrorException e) {
        LOG.log(Level.DEBUG, "There is no archive of {0}", archive);
      }
    }
  }

  private void takeArchived(MamResultExtension result) throws InterruptedException {
    var forwarded = result.getForwarded();
    DelayInformation delay = forwarded.getDelayInformation();
    Instant now = context.clock().instant();
    Instant sentAt = delay == null ? now : delay.getStamp().toInstant();
    receive(
        forwarded.getForwardedStanza(),
        Optional.of(result.getId()).filter(XmppIds::isValid),
        true,
        sentAt.isAfter(now) ? now : sentAt);
  }

  private void receive(
      Message message, Optional<String> archiveId, boolean isArchived, Instant sentAt)
      throws InterruptedException {
    delivery.deliver(() ->
        reader.read(message, archiveId, isArchived, rooms, sentAt).ifPresent(listener::receive));
  }
}
