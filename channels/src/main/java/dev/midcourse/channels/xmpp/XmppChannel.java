package dev.midcourse.channels.xmpp;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.util.Optional;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;

/** A channel to the rooms and people that an account of XMPP reaches. */
final class XmppChannel implements Channel {
  private static final ChannelLimits LIMITS =
      new ChannelLimits(5_000, 0, 0, Duration.ofMillis(500), Duration.ofSeconds(3));
  private static final Duration CONNECTING = Duration.ofSeconds(5);

  private final XmppSettings settings;
  private final ChannelContext context;
  private final XmppIds ids = new XmppIds();
  private volatile Optional<ReceiveLoop> loop = Optional.empty();
  private volatile Optional<XmppSender> sender = Optional.empty();

  XmppChannel(XmppSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.of(new Identity(name(), settings.account().toString()));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return ChannelCapabilities.of(
        LIMITS, ChannelFeature.EDITS, ChannelFeature.REACTIONS, ChannelFeature.LOOK_UP);
  }

  @Override
  public ChannelStatus status() {
    return loop.map(ReceiveLoop::status).orElseGet(ChannelStatus.Starting::new);
  }

  @Override
  public void start(ChannelListener listener) {
    ReceiveLoop started =
        new ReceiveLoop(
            name(),
            context.clock(),
            context.locks(),
            "xmpp:" + settings.account(),
            connection -> run(connection, listener),
            listener);
    loop = Optional.of(started);
    started.start();
  }

  private void run(ReceiveLoop.Connection loopConnection, ChannelListener listener)
      throws Exception {
    XMPPTCPConnection connection = XmppConnections.open(settings, "midcourse");
    try {
      XmppRooms rooms = new XmppRooms(settings, connection, listener);
      XmppSender opened = new XmppSender(connection, rooms, ids);
      XmppUpdateReader reader = new XmppUpdateReader(name(), settings.account(), ids);
      sender = Optional.of(opened);
      new XmppSession(settings, context, listener, connection, rooms, opened, reader)
          .run(loopConnection);
    } finally {
      sender = Optional.empty();
      connection.instantShutdown();
    }
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    Optional<XmppSender> now = sender;
    if (now.isEmpty()) {
      return new SendResult.RetryAfter(CONNECTING, "the channel is not connected");
    }
    try {
      return switch (request) {
        case ChannelRequest.SendText(var to, String markdown, var replyTo) ->
            now.get().sendText(id, to.chat(), markdown, replyTo);
        case ChannelRequest.EditText(var to, String message, String markdown) ->
            now.get().edit(id, to.chat(), message, markdown);
        case ChannelRequest.SetReaction(var to, String message, var status) ->
            now.get().react(id, to.chat(), message, status);
        case ChannelRequest.SendCard _, ChannelRequest.CloseCard _, ChannelRequest.SendFile _ ->
            new SendResult.Refused("the channel has no buttons and sends no files");
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub ended while the message was being sent");
    }
  }

  @Override
  public LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    Optional<XmppSender> now = sender;
    if (now.isEmpty()) {
      return new LookUpResult.NotKnown("the channel is not connected");
    }
    try {
      return now.get().lookUp(id, request.to().chat());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new LookUpResult.NotKnown("the hub ended");
    }
  }

  @Override
  public void close() {
    loop.ifPresent(ReceiveLoop::close);
  }
}
