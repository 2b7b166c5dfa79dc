package dev.midcourse.channels.irc;

import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings of one IRC channel.
 *
 * @param trust the authorities whose certificates count
 * @param account the account of services with which the bot logs in, by SASL PLAIN
 * @param certificate a PKCS #12 file with which the bot logs in, by SASL EXTERNAL
 * @param rooms the IRC channels that the bot joins
 * @param sendInterval the least time between two lines, after the first few
 */
record IrcSettings(
    ChannelName name,
    String host,
    int port,
    boolean tls,
    TlsTrust trust,
    String nick,
    Optional<String> account,
    Optional<ChannelSecret> password,
    Optional<Path> certificate,
    Optional<ChannelSecret> certificatePassword,
    Optional<ChannelSecret> serverPassword,
    List<String> rooms,
    IdentityRule identity,
    Duration sendInterval) {
  private static final int DEFAULT_TLS_PORT = 6697;
  private static final int DEFAULT_PLAIN_PORT = 6667;
  private static final Duration DEFAULT_SEND_INTERVAL = Duration.ofSeconds(1);
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1");

  /** By what a person is known. */
  enum IdentityRule {
    /** The account of services, which only its owner can use. */
    ACCOUNT,
    /** The nick, which anybody may take when it is free. */
    NICK
  }

  IrcSettings {
    rooms = List.copyOf(rooms);
  }

  static IrcSettings read(ChannelConfig config) {
    String host = config.requiredText("server");
    boolean tls = config.flag("tls").orElse(true);
    if (!tls && !THIS_MACHINE.contains(host)) {
      throw Problem.invalid(
              "tls", "true, except for a server on this machine", "a server needs tls = true")
          .refused();
    }
    Optional<String> account = config.text("account");
    Optional<ChannelSecret> password = config.secret("password");
    if (account.isPresent() != password.isPresent()) {
      throw Problem.invalid(
              "account", "together with password_file", "account and password go together")
          .refused();
    }
    return new IrcSettings(
        config.name(),
        host,
        config.number("port", 1, 65_535).orElse(tls ? DEFAULT_TLS_PORT : DEFAULT_PLAIN_PORT),
        tls,
        new TlsTrust(config.text(TlsTrust.SETTING, TlsTrust::path)),
        config.text("nick", IrcSettings::word).orElse("midcourse"),
        account,
        password,
        config.text("certificate").map(Path::of),
        config.secret("certificate_password"),
        config.secret("server_password"),
        config.texts("rooms").orElse(List.of()).stream().map(IrcSettings::word).toList(),
        config.oneOf("identity", IdentityRule.class).orElse(IdentityRule.ACCOUNT),
        config.duration("send_interval").orElse(DEFAULT_SEND_INTERVAL));
  }

  /** All secrets, which no log line and no exception may contain. */
  List<ChannelSecret> secrets() {
    return Stream.of(password, certificatePassword, serverPassword)
        .flatMap(Optional::stream)
        .toList();
  }

  String redact(String text) {
    String shown = text;
    for (ChannelSecret secret : secrets()) {
      shown = secret.redact(shown);
    }
    return shown;
  }

  boolean logsIn() {
    return account.isPresent() || certificate.isPresent();
  }

  private static String word(String text) {
    if (!text.matches("[^\\s,:\\x00-\\x20\\x7f][^\\s,\\x00-\\x20\\x7f]{0,99}")) {
      throw Problem.invalid("", "one word without commas", "must be one word without commas")
          .refused();
    }
    return text;
  }
}
