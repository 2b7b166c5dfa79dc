package dev.midcourse.channels.catalogue;

import dev.midcourse.channels.discord.DiscordKind;
import dev.midcourse.channels.irc.IrcKind;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.mail.MailKind;
import dev.midcourse.channels.matrix.MatrixKind;
import dev.midcourse.channels.program.ProgramKind;
import dev.midcourse.channels.slack.SlackKind;
import dev.midcourse.channels.telegram.TelegramKind;
import dev.midcourse.channels.whatsapp.WhatsAppKind;
import dev.midcourse.channels.xmpp.XmppKind;
import java.util.List;
import java.util.Optional;

/** All kinds of channels of platforms, in the order in which people see them. */
public final class ChannelKinds {
  private static final List<ChannelKind> ALL =
      List.of(
          new TelegramKind(),
          new SlackKind(),
          new DiscordKind(),
          new WhatsAppKind(),
          new MatrixKind(),
          new MailKind(),
          new IrcKind(),
          new XmppKind(),
          new ProgramKind());

  private ChannelKinds() {}

  public static List<ChannelKind> all() {
    return ALL;
  }

  public static Optional<ChannelKind> named(String name) {
    return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }
}
