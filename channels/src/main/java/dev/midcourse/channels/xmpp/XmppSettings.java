package dev.midcourse.channels.xmpp;

import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jxmpp.jid.EntityBareJid;
import org.jxmpp.jid.impl.JidCreate;
import org.jxmpp.stringprep.XmppStringprepException;

/**
 * The settings of one XMPP channel.
 *
 * @param host the server, if the domain of the account does not tell it
 * @param trust the authorities whose certificates count
 * @param rooms the rooms that the bot enters
 */
record XmppSettings(
    ChannelName name,
    EntityBareJid account,
    ChannelSecret password,
    Optional<String> host,
    int port,
    boolean tls,
    TlsTrust trust,
    String nick,
    List<EntityBareJid> rooms) {
  private static final int DEFAULT_PORT = 5222;
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1");

  XmppSettings {
    rooms = List.copyOf(rooms);
  }

  static XmppSettings read(ChannelConfig config) {
    Optional<String> host = config.text("server");
    boolean tls = config.flag("tls").orElse(true);
    if (!tls && host.filter(THIS_MACHINE::contains).isEmpty()) {
      throw Problem.invalid(
              "tls", "true, except for a server on this machine", "a server needs tls = true")
          .refused();
    }
    return new XmppSettings(
        config.name(),
        config
            .text("account", XmppSettings::address)
            .orElseThrow(
                () -> Problem.invalid("account", "NAME@DOMAIN", "account is missing").refused()),
        config.requiredSecret("password"),
        host,
        config.number("port", 1, 65_535).orElse(DEFAULT_PORT),
        tls,
        new TlsTrust(config.text(TlsTrust.SETTING, TlsTrust::path)),
        config.text("nick").orElse("midcourse"),
        config.texts("rooms").orElse(List.of()).stream().map(XmppSettings::address).toList());
  }

  private static EntityBareJid address(String text) {
    try {
      return JidCreate.entityBareFrom(text);
    } catch (XmppStringprepException e) {
      throw new RefusedException(
          Problem.invalid("", "NAME@DOMAIN", "must be an address such as bot@example.org"), e);
    }
  }
}
