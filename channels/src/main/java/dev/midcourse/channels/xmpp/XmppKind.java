package dev.midcourse.channels.xmpp;

import static dev.midcourse.channels.kind.ChannelSetting.Type.FLAG;
import static dev.midcourse.channels.kind.ChannelSetting.Type.LIST;
import static dev.midcourse.channels.kind.ChannelSetting.Type.NUMBER;
import static dev.midcourse.channels.kind.ChannelSetting.Type.SECRET;
import static dev.midcourse.channels.kind.ChannelSetting.Type.TEXT;
import static dev.midcourse.channels.kind.ChannelSetting.optional;
import static dev.midcourse.channels.kind.ChannelSetting.required;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jivesoftware.smack.SmackException;
import org.jivesoftware.smack.XMPPException;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smackx.mam.MamManager;

/** Channels to XMPP, also called Jabber. */
public final class XmppKind implements ChannelKind {
  @Override
  public String name() {
    return "xmpp";
  }

  @Override
  public String title() {
    return "XMPP";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        required("account", TEXT, "The address of the bot: NAME@DOMAIN."),
        required("password", SECRET, "The password of the account."),
        optional("server", TEXT, "The host name of the server, if the domain does not tell it."),
        optional("port", NUMBER, "The port; 5222."),
        optional(
            "tls",
            FLAG,
            "Whether the connection is encrypted; true. Only for a server on this machine it may be false."),
        optional(TlsTrust.SETTING, TEXT, TlsTrust.DESCRIPTION),
        optional("nick", TEXT, "The name of the bot in rooms; midcourse."),
        optional("rooms", LIST, "The rooms that the bot enters, such as dev@rooms.example.org."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Make an account for the bot at your server.",
        "Let the owner of each room show real addresses to everybody: in an anonymous room nobody has an identity.",
        "Switch on the archives of the server (Prosody: mam and muc_mam), so that nothing is missed.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new XmppChannel(XmppSettings.read(config), context);
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    XmppSettings settings = XmppSettings.read(config);
    List<ChannelCheck> checks = new ArrayList<>();
    try {
      XMPPTCPConnection connection = XmppConnections.open(settings, "check");
      try {
        checks.add(ChannelCheck.ok("logged in as " + settings.account()));
        if (!MamManager.getInstanceFor(connection).isSupported()) {
          checks.add(
              ChannelCheck.warning(
                  "the server has no archive: what is written while the hub is away is lost",
                  "Switch on the archive of the server (Prosody: mam, and muc_mam for rooms)."));
        }
      } finally {
        connection.instantShutdown();
      }
    } catch (PermanentFailureException e) {
      checks.add(ChannelCheck.failed(String.valueOf(e.getMessage()), e.remedy()));
    } catch (IOException | SmackException | XMPPException e) {
      checks.add(
          ChannelCheck.failed(
              "no connection: " + settings.password().redact(String.valueOf(e.getMessage())),
              "Look at account, server, port and tls, and whether this machine reaches the server."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      checks.add(ChannelCheck.failed("the check was interrupted", "Check again."));
    }
    if (settings.rooms().isEmpty()) {
      checks.add(
          ChannelCheck.warning("the bot enters no room", "Set rooms, or write to it directly."));
    }
    return checks;
  }
}
