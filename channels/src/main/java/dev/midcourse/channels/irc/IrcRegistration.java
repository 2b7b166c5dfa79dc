package dev.midcourse.channels.irc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The first lines of a connection: asks for capabilities, logs in, and gets a nick. */
final class IrcRegistration {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration NICK_RETRY_INTERVAL = Duration.ofMinutes(1);
  private static final int MAX_NICKS = 5;

  /** Some servers allow only nine letters. */
  private static final int MAX_STEM = 8;

  private static final int MAX_AUTHENTICATE = 400;
  private static final Pattern SPACES = Pattern.compile(" +");

  private final IrcSettings settings;
  private final IrcConnection connection;
  private final IrcNetwork network;
  private final Set<String> offered = new LinkedHashSet<>();
  private int nicks = 1;
  private boolean welcomed;

  IrcRegistration(IrcSettings settings, IrcConnection connection, IrcNetwork network) {
    this.settings = settings;
    this.connection = connection;
    this.network = network;
  }

  /** Returns when the server has welcomed us. */
  void run() throws IOException, PermanentFailureException, RetryLaterException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    send("CAP", "LS", "302");
    if (settings.serverPassword().isPresent()) {
      send("PASS", settings.serverPassword().get().reveal());
    }
    send("NICK", network.nick());
    connection.write(IrcLine.of("USER", "midcourse", "0", "*", "Midcourse"));
    while (!welcomed) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (left.isNegative()) {
        throw new IOException("the server did not welcome us within " + TIMEOUT.toSeconds() + " s");
      }
      var line = connection.read(left);
      if (line.isPresent()) {
        take(line.get());
      }
    }
  }

  private void send(String command, String... params) throws IOException {
    connection.write(IrcLine.of(command, params));
  }

  private void take(IrcLine line)
      throws IOException, PermanentFailureException, RetryLaterException {
    switch (line.command()) {
      case "PING" -> send("PONG", line.lastParam());
      case "CAP" -> takeCapabilities(line);
      case "AUTHENTICATE" -> authenticate();
      case "903" -> send("CAP", "END");
      case "902", "904", "905", "906", "908" ->
          throw new PermanentFailureException(
              "the server refused the login: " + shown(line),
              "Set account and password_file, or certificate, of the channel anew.");
      case "433", "436", "437" -> tryNextNick();
      case "432" ->
          throw new PermanentFailureException(
              "the server does not allow the nick " + network.nick(), "Set nick to another name.");
      case "464" ->
          throw new PermanentFailureException(
              "the server wants another password: " + shown(line),
              "Set server_password_file to the password of the server.");
      case "465" ->
          throw new PermanentFailureException(
              "the server has banned us: " + shown(line), "Ask the operators of the network.");
      case "ERROR" -> throw new IOException("the server closed the connection: " + shown(line));
      case "001" -> {
        network.setNick(line.param(0));
        welcomed = true;
      }
      default -> {} // notices and other numbers
    }
  }

  private String shown(IrcLine line) {
    return settings.redact(IrcText.plain(line.lastParam()));
  }

  private void takeCapabilities(IrcLine line) throws IOException {
    switch (line.param(1)) {
      case "LS" -> {
        for (String one : SPACES.split(line.lastParam(), -1)) {
          int equals = one.indexOf('=');
          offered.add(equals < 0 ? one : one.substring(0, equals));
        }
        if (!line.param(2).equals("*")) {
          request();
        }
      }
      case "ACK" -> {
        for (String one : SPACES.split(line.lastParam(), -1)) {
          network.add(one);
        }
        logIn();
      }
      case "NAK" -> logIn();
      default -> {} // changes after the login are taken by the session
    }
  }

  private void request() throws IOException {
    String wanted = "";
    for (IrcCapability capability : IrcCapability.values()) {
      boolean isUseful = capability != IrcCapability.SASL || settings.logsIn();
      if (isUseful && offered.contains(capability.wire())) {
        wanted += (wanted.isEmpty() ? "" : " ") + capability.wire();
      }
    }
    if (wanted.isEmpty()) {
      logIn();
    } else {
      connection.write(IrcLine.of("CAP", "REQ", wanted));
    }
  }

  private void logIn() throws IOException {
    if (!settings.logsIn()) {
      send("CAP", "END");
    } else if (network.has(IrcCapability.SASL)) {
      send("AUTHENTICATE", settings.certificate().isPresent() ? "EXTERNAL" : "PLAIN");
    } else {
      throw new IOException("the server offers no login by SASL now, and this channel needs one");
    }
  }

  private void authenticate() throws IOException {
    if (settings.certificate().isPresent()) {
      send("AUTHENTICATE", "+");
      return;
    }
    String account = settings.account().orElseThrow();
    String plain = account + "\0" + account + "\0" + settings.password().orElseThrow().reveal();
    String text = Base64.getEncoder().encodeToString(plain.getBytes(UTF_8));
    int at = 0;
    while (at < text.length()) {
      int end = Math.min(text.length(), at + MAX_AUTHENTICATE);
      send("AUTHENTICATE", text.substring(at, end));
      at = end;
    }
    if (text.length() % MAX_AUTHENTICATE == 0) {
      send("AUTHENTICATE", "+"); // says that the last part was whole
    }
  }

  private void tryNextNick() throws IOException, RetryLaterException {
    if (++nicks > MAX_NICKS) {
      throw new RetryLaterException(
          "the nick " + settings.nick() + " and its variants are in use", NICK_RETRY_INTERVAL);
    }
    String wanted = settings.nick();
    String mark = nicks == 2 ? "_" : Integer.toString(nicks);
    network.setNick(wanted.substring(0, Math.min(wanted.length(), MAX_STEM)) + mark);
    send("NICK", network.nick());
  }
}
