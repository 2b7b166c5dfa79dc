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
import dev.midcourse.channels.connection.CurrentSender;
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

  private final XmppSettings settings;
  private final ChannelContext context;
  private final XmppIds ids = new XmppIds();
  private final ReceiveLoop loop;
  private final CurrentSender<XmppSender> sender = new CurrentSender<>();

  XmppChannel(XmppSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.loop =
        new ReceiveLoop(name(), context.clock(), context.locks(), "xmpp:" + settings.account());
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
    return loop.status();
  }

  @Override
  public void start(ChannelListener listener) {
    loop.start(connection -> run(connection, listener), listener);
  }

  private void run(ReceiveLoop.Connection loopConnection, ChannelListener listener)
      throws Exception {
    XMPPTCPConnection connection = XmppConnections.open(settings, "midcourse");
    try {
      XmppRooms rooms = new XmppRooms(settings, connection, listener);
      XmppSender opened = new XmppSender(connection, rooms, ids);
      XmppUpdateReader reader = new XmppUpdateReader(name(), settings.account(), ids);
      sender.set(opened);
      new XmppSession(settings, context, listener, connection, rooms, opened, reader)
          .run(loopConnection);
    } finally {
      sender.clear();
      connection.instantShutdown();
    }
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return sender.send(now ->
        switch (request) {
          case ChannelRequest.SendText(var to, String markdown, var replyTo) ->
              now.sendText(id, to.chat(), markdown, replyTo);
          case ChannelRequest.EditText(var to, String message, String markdown) ->
              now.edit(id, to.chat(), message, markdown);
          case ChannelRequest.SetReaction(var to, String message, var status) ->
              now.react(id, to.chat(), message, status);
          case ChannelRequest.SendCard _, ChannelRequest.CloseCard _, ChannelRequest.SendFile _ ->
              new SendResult.Refused("the channel has no buttons and sends no files");
        });
  }

  @Override
  public LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    return sender.lookUp(now -> now.lookUp(id, request.to().chat()));
  }

  @Override
  public void close() {
    loop.close();
  }
}
