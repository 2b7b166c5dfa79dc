package dev.midcourse.channels.irc;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.CurrentSender;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A channel to the rooms and people of one IRC network. */
final class IrcChannel implements Channel {
  /** A few lines: a flood of them would get the bot removed. */
  private static final int MAX_TEXT = 400;

  private static final Duration ROOM_DELAY = Duration.ofMinutes(1);

  private final IrcSettings settings;
  private final ChannelContext context;
  private final SentLines sentLines = new SentLines();
  private final LinePacer pacer;
  private final ReceiveLoop loop;
  private final CurrentSender<Link> link = new CurrentSender<>();

  /** The connection over which messages are sent now. */
  private record Link(IrcSender sender, IrcNetwork network) {}

  IrcChannel(IrcSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.pacer = new LinePacer(settings.sendInterval());
    this.loop =
        new ReceiveLoop(
            name(),
            context.clock(),
            context.locks(),
            "irc:%s:%d:%s".formatted(settings.host(), settings.port(), settings.nick()));
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    Optional<String> handle =
        switch (settings.identity()) {
          case ACCOUNT -> settings.account();
          case NICK -> Optional.of(settings.nick());
        };
    return handle.map(text -> new Identity(name(), text.toLowerCase(Locale.ROOT)));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return new ChannelCapabilities(
        Set.of(),
        new ChannelLimits(MAX_TEXT, 0, 0, settings.sendInterval(), settings.sendInterval()));
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
    IrcNetwork network = new IrcNetwork(settings.nick());
    try (IrcConnection connection = IrcConnection.open(settings)) {
      new IrcRegistration(settings, connection, network).run();
      IrcSender sender = new IrcSender(connection, network, pacer, sentLines);
      IrcUpdateReader reader = new IrcUpdateReader(name(), settings.identity(), sentLines::first);
      IrcSession session =
          new IrcSession(
              settings,
              context.clock(),
              context.state(),
              listener,
              connection,
              network,
              reader,
              sender);
      link.set(new Link(sender, network));
      try {
        session.run(loopConnection);
      } finally {
        link.clear();
        sender.close();
        session.end();
      }
    }
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return link.send(now ->
        switch (request) {
          case ChannelRequest.SendText text -> sendText(now, text);
          case ChannelRequest.EditText _,
              ChannelRequest.SetReaction _,
              ChannelRequest.SendCard _,
              ChannelRequest.CloseCard _,
              ChannelRequest.SendFile _ ->
              new SendResult.Refused("IRC has only text");
        });
  }

  private static SendResult sendText(Link link, ChannelRequest.SendText request)
      throws InterruptedException {
    IrcChat chat = IrcChat.parse(request.to().chat(), link.network());
    boolean isOutside =
        link.network().isRoom(chat.target()) && !link.network().rooms().contains(chat.target());
    if (isOutside) {
      return new SendResult.RetryAfter(ROOM_DELAY, "the bot is not in " + chat.target());
    }
    return link.sender()
        .send(
            chat,
            request.markdown(),
            request.replyTo().filter(message -> !message.startsWith("local-")));
  }

  @Override
  public void close() {
    loop.close();
  }
}
