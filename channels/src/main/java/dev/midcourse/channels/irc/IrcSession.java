package dev.midcourse.channels.irc;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.ReceiveLoop.Connection;
import dev.midcourse.channels.connection.UpdateDelivery;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** One connection after its registration: joins the rooms and takes every line in its order. */
final class IrcSession {
  private static final System.Logger LOG = System.getLogger(IrcSession.class.getName());
  private static final Duration PING_INTERVAL = Duration.ofSeconds(60);

  private final IrcSettings settings;
  private final InstantSource clock;
  private final IrcConnection connection;
  private final IrcNetwork network;
  private final IrcUpdateReader reader;
  private final IrcSender sender;
  private final IrcCatchUp catchUp;
  private final ChannelListener listener;
  private final UpdateDelivery delivery;
  private boolean waitsForPong;

  IrcSession(
      IrcSettings settings,
      InstantSource clock,
      ChannelState state,
      ChannelListener listener,
      IrcConnection connection,
      IrcNetwork network,
      IrcUpdateReader reader,
      IrcSender sender) {
    this.settings = settings;
    this.clock = clock;
    this.listener = listener;
    this.connection = connection;
    this.network = network;
    this.reader = reader;
    this.sender = sender;
    this.delivery = new UpdateDelivery(settings.name());
    this.catchUp =
        new IrcCatchUp(settings.name(), connection, network, state, listener, clock.instant());
  }

  /** Receives until the connection is lost or no longer wanted. */
  void run(Connection loop) throws IOException, InterruptedException {
    boolean started = false;
    while (loop.isWanted()) {
      Optional<IrcLine> line = connection.read(PING_INTERVAL);
      if (line.isPresent()) {
        waitsForPong = false;
        take(line.get());
        if (!started
            && (line.get().command().equals("376") || line.get().command().equals("422"))) {
          started = true; // the settings of the server are known now
          begin();
          loop.opened();
        }
      } else if (waitsForPong) {
        throw new IOException("the server does not answer");
      } else {
        checkConnection();
      }
    }
  }

  /** Stores that the connection was open until now. */
  void end() {
    catchUp.markAlive(clock.instant());
  }

  private void begin() throws IOException {
    if (settings.identity() == IrcSettings.IdentityRule.ACCOUNT
        && !network.has(IrcCapability.ACCOUNT_TAG)) {
      LOG.log(
          Level.WARNING,
          "The server of the channel {0} does not tell accounts, so that nobody has an identity"
              + " there. Use another server, or set identity = \"nick\" where nicks are protected.",
          settings.name());
    }
    if (!network.botMode().isEmpty()) {
      connection.write(IrcLine.of("MODE", network.nick(), "+" + network.botMode()));
    }
    catchUp.start();
    for (String room : settings.rooms()) {
      connection.write(IrcLine.of("JOIN", room));
    }
  }

  private void checkConnection() throws IOException {
    waitsForPong = true;
    catchUp.markAlive(clock.instant());
    if (!network.isUs(settings.nick())) {
      connection.write(IrcLine.of("NICK", settings.nick())); // it may be free again
    }
    connection.write(IrcLine.of("PING", "midcourse"));
  }

  private void take(IrcLine line) throws IOException, InterruptedException {
    switch (line.command()) {
      case "PING" -> connection.write(IrcLine.of("PONG", line.lastParam()));
      case "005" -> network.readSettings(line);
      case "PRIVMSG" -> receive(line);
      case "NICK" -> {
        if (network.isUs(line.nick())) {
          network.setNick(line.param(0));
        }
      }
      case "CAP" -> changeCapabilities(line);
      case "JOIN" -> join(line);
      case "PART" -> leave(line.param(0), line.nick(), "we left it");
      case "KICK" -> leave(line.param(0), line.param(1), "kicked by " + line.nick() + reason(line));
      case "INVITE" -> {
        if (settings.rooms().stream()
            .map(network::fold)
            .anyMatch(network.fold(line.param(1))::equals)) {
          connection.write(IrcLine.of("JOIN", line.param(1)));
        }
      }
      case "403", "405", "471", "473", "474", "475", "476", "477" -> refuseJoin(line);
      case "ERROR" ->
          throw new IOException(
              "the server closed the connection: "
                  + settings.redact(IrcText.plain(line.lastParam())));
      default -> {} // notices, topics, lists of names
    }
    sender.take(line);
    catchUp.take(line);
  }

  private static String reason(IrcLine line) {
    String said = IrcText.plain(line.lastParam());
    return said.isBlank() ? "" : ": " + said;
  }

  private void changeCapabilities(IrcLine line) {
    if (line.param(1).equals("DEL")) {
      for (String one : line.lastParam().split(" ", -1)) {
        network.remove(one);
      }
    }
  }

  private void join(IrcLine line) throws IOException {
    if (network.isUs(line.nick())) {
      line.source().ifPresent(network::sawSource);
      String room = line.param(0);
      network.rooms().add(network.fold(room));
      listener.notice(
          settings.name(), new ChannelNotice.ChatOpened(network.fold(room), Optional.of(room)));
      catchUp.fetch(room);
    }
  }

  private void leave(String room, String nick, String reason) {
    if (network.isUs(nick) && network.rooms().remove(network.fold(room))) {
      listener.notice(settings.name(), new ChannelNotice.ChatClosed(network.fold(room), reason));
    }
  }

  private void refuseJoin(IrcLine line) {
    String room = network.fold(line.param(1));
    boolean isOurs = settings.rooms().stream().map(network::fold).anyMatch(room::equals);
    if (isOurs && !network.rooms().contains(room)) {
      LOG.log(
          Level.WARNING,
          "The channel {0} cannot join {1}: {2}. Invite the bot, or change the room.",
          settings.name(),
          room,
          IrcText.plain(line.lastParam()));
      listener.notice(
          settings.name(),
          new ChannelNotice.ChatClosed(room, "the bot cannot join" + reason(line)));
    }
  }

  private void receive(IrcLine line) throws InterruptedException {
    Instant now = clock.instant();
    delivery.deliver(() -> {
      reader.read(line, network, now).ifPresent(listener::receive);
      catchUp.advance(IrcUpdateReader.time(line, now));
    });
  }
}
