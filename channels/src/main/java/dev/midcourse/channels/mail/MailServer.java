package dev.midcourse.channels.mail;

import dev.midcourse.core.Problem;
import java.util.Set;

/** The address of a mail server. Without encryption it must be on this machine. */
record MailServer(String host, int port, Security security) {
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1", "[::1]");
  private static final int MAX_PORT = 65_535;

  /** How the connection is encrypted. */
  enum Security {
    TLS,
    STARTTLS,
    NONE
  }

  MailServer {
    if (security == Security.NONE && !THIS_MACHINE.contains(host)) {
      throw Problem.invalid(
              "security",
              "tls or starttls for a server on another machine",
              "the mail server " + host + " is on another machine and needs tls or starttls")
          .refused();
    }
  }

  /** Reads {@code mail.example.org} or {@code mail.example.org:993}. */
  static MailServer of(String text, Security security, int tlsPort, int otherPort) {
    int colon = text.lastIndexOf(':');
    boolean hasPort = colon > 0 && text.indexOf(':') == colon;
    String host = hasPort ? text.substring(0, colon) : text;
    int port = hasPort ? port(text.substring(colon + 1)) : 0;
    if (host.isBlank()
        || host.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '@')
        || (hasPort && (port < 1 || port > MAX_PORT))) {
      throw Problem.invalid(
              "server", "HOST or HOST:PORT", "a mail server must be HOST or HOST:PORT; got " + text)
          .refused();
    }
    int usual = security == Security.TLS ? tlsPort : otherPort;
    return new MailServer(host, hasPort ? port : usual, security);
  }

  private static int port(String text) {
    return text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
  }
}
