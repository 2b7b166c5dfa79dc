package dev.midcourse.channels.irc;

import static dev.midcourse.channels.kind.ChannelSetting.Type.DURATION;
import static dev.midcourse.channels.kind.ChannelSetting.Type.FLAG;
import static dev.midcourse.channels.kind.ChannelSetting.Type.LIST;
import static dev.midcourse.channels.kind.ChannelSetting.Type.NUMBER;
import static dev.midcourse.channels.kind.ChannelSetting.Type.SECRET;
import static dev.midcourse.channels.kind.ChannelSetting.Type.TEXT;
import static dev.midcourse.channels.kind.ChannelSetting.optional;
import static dev.midcourse.channels.kind.ChannelSetting.required;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Channels to IRC networks. */
public final class IrcKind implements ChannelKind {
  @Override
  public String name() {
    return "irc";
  }

  @Override
  public String title() {
    return "IRC";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        required("server", TEXT, "The host name of the server."),
        optional("port", NUMBER, "The port; 6697, or 6667 without TLS."),
        optional(
            "tls",
            FLAG,
            "Whether the connection is encrypted; true. Only for a server on this machine it may be false."),
        optional(TlsTrust.SETTING, TEXT, TlsTrust.DESCRIPTION),
        optional("nick", TEXT, "The nick of the bot; midcourse."),
        optional("account", TEXT, "The account of services as which the bot logs in."),
        optional("password", SECRET, "The password of the account."),
        optional("certificate", TEXT, "A PKCS #12 file for a login by certificate instead."),
        optional("certificate_password", SECRET, "The password of this file."),
        optional("server_password", SECRET, "The password that the server itself asks for."),
        optional("rooms", LIST, "The rooms that the bot joins, such as #dev."),
        optional(
            "identity",
            TEXT,
            "account: people are known by their account of services. nick: by their nick, which others may take."),
        optional("send_interval", DURATION, "The least time between two lines; 1s."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Register an account for the bot with the services of the network (/msg NickServ HELP REGISTER).",
        "Let the people who talk to the bot log in to accounts of their own: only these are identities.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new IrcChannel(IrcSettings.read(config), context);
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    IrcSettings settings = IrcSettings.read(config);
    IrcNetwork network = new IrcNetwork(settings.nick());
    try (IrcConnection connection = IrcConnection.open(settings)) {
      new IrcRegistration(settings, connection, network).run();
      connection.write(IrcLine.of("QUIT", "check"));
      return results(settings, network);
    } catch (PermanentFailureException e) {
      return List.of(ChannelCheck.failed(String.valueOf(e.getMessage()), e.remedy()));
    } catch (IOException | RetryLaterException e) {
      return List.of(
          ChannelCheck.failed(
              "no connection: " + settings.redact(String.valueOf(e.getMessage())),
              "Look at server, port and tls, and whether this machine reaches the server."));
    }
  }

  private static List<ChannelCheck> results(IrcSettings settings, IrcNetwork network) {
    List<ChannelCheck> checks = new ArrayList<>();
    checks.add(ChannelCheck.ok("connected as " + network.nick()));
    if (settings.identity() == IrcSettings.IdentityRule.NICK) {
      checks.add(
          ChannelCheck.warning(
              "people are known by their nick, which others may take when it is free",
              "Remove identity = \"nick\" if the network has accounts."));
    } else if (!network.has(IrcCapability.ACCOUNT_TAG)) {
      checks.add(
          ChannelCheck.warning(
              "the server does not tell accounts, so that nobody has an identity",
              "Use a server with account-tag, or set identity = \"nick\" where nicks are protected."));
    }
    if (!network.has(IrcCapability.HISTORY)) {
      checks.add(
          ChannelCheck.warning(
              "the server has no history: what is written while the hub is away is lost",
              "Nothing, or use a server with draft/chathistory, such as Ergo."));
    }
    if (settings.rooms().isEmpty()) {
      checks.add(
          ChannelCheck.warning("the bot joins no room", "Set rooms, or write to it directly."));
    }
    return checks;
  }
}
