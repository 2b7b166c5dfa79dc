package dev.midcourse.channels.irc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * A server that answers as a test says, for what a real one does not do when asked. The lines of
 * the registration, PING and JOIN are answered unless the test answers them.
 */
final class FakeIrcServer implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ServerSocket server;
  private final BiFunction<FakeIrcServer, IrcLine, Boolean> script;
  private final String capabilities;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private volatile Socket client = new Socket();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile String nick = "midcourse";

  /**
   * @param script answers a line of the channel; false for the usual answer
   */
  FakeIrcServer(String capabilities, BiFunction<FakeIrcServer, IrcLine, Boolean> script) {
    this.capabilities = capabilities;
    this.script = script;
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  List<String> lines() {
    return lines;
  }

  void awaitLine(String part) {
    await().atMost(TIMEOUT).until(() -> lines.stream().anyMatch(line -> line.contains(part)));
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket accepted = server.accept();
        client = accepted;
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(accepted));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      String text = in.readLine();
      while (text != null) {
        lines.add(text);
        IrcLine line = IrcLine.parse(text);
        if (!script.apply(this, line)) {
          answer(line);
        }
        text = in.readLine();
      }
    } catch (IOException closed) {
      // the channel has closed
    }
  }

  private void answer(IrcLine line) {
    switch (line.command()) {
      case "CAP" -> {
        switch (line.param(0)) {
          case "LS" -> say(":irc.test CAP * LS :" + capabilities);
          case "REQ" -> say(":irc.test CAP * ACK :" + line.lastParam());
          case "END" -> welcome();
          default -> {}
        }
      }
      case "NICK" -> nick = line.param(0);
      case "PING" -> say(":irc.test PONG irc.test :" + line.lastParam());
      case "JOIN" -> say(":" + nick + "!~bot@host JOIN " + line.param(0));
      case "PRIVMSG" -> {
        if (capabilities.contains("echo-message")) {
          echo(line, "m" + lines.size());
        }
      }
      default -> {}
    }
  }

  void echo(IrcLine line, String id) {
    String label = line.tag("label").map(value -> "label=" + value + ";").orElse("");
    say(
        "@%smsgid=%s :%s!~bot@host PRIVMSG %s :%s"
            .formatted(label, id, nick, line.param(0), line.param(1)));
  }

  void welcome() {
    say(":irc.test 001 " + nick + " :Welcome");
    say(
        ":irc.test 005 "
            + nick
            + " CHANTYPES=# CASEMAPPING=ascii CHATHISTORY=2 BOT=B :are supported");
    say(":irc.test 376 " + nick + " :End of MOTD");
  }

  /** Sends a line to the channel. */
  void say(String line) {
    say((line + "\r\n").getBytes(UTF_8));
  }

  synchronized void say(byte[] bytes) {
    try {
      client.getOutputStream().write(bytes);
      client.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Cuts the connection. */
  void cut() {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    cut();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
