package dev.midcourse.channels.mail;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.channels.mail.MailServer.Security;
import dev.midcourse.core.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Mail over IMAP and SMTP. */
public final class MailKind implements ChannelKind {
  private static final Duration DEFAULT_POLL = Duration.ofMinutes(2);
  private static final Duration MAX_POLL = Duration.ofMinutes(25);
  private static final Duration DEFAULT_TOKEN_LIFE = Duration.ofDays(30);
  private static final int DEFAULT_PER_HOUR = 60;
  private static final int IMAPS = 993;
  private static final int IMAP = 143;
  private static final int SUBMISSIONS = 465;
  private static final int SUBMISSION = 587;

  /** How the channel logs in. */
  enum Login {
    PASSWORD,
    XOAUTH2
  }

  @Override
  public String name() {
    return "mail";
  }

  @Override
  public String title() {
    return "Mail";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        ChannelSetting.required(
            "address", ChannelSetting.Type.TEXT, "The mail address of the bot."),
        ChannelSetting.required(
            "imap", ChannelSetting.Type.TEXT, "The IMAP server, as HOST or HOST:PORT."),
        ChannelSetting.required(
            "smtp", ChannelSetting.Type.TEXT, "The SMTP server, as HOST or HOST:PORT."),
        ChannelSetting.required(
            "password",
            ChannelSetting.Type.SECRET,
            "The password of the mailbox, or an access token."),
        ChannelSetting.optional(
            "authserv_id",
            ChannelSetting.Type.TEXT,
            "The name of your mail server in the header Authentication-Results of mails that you"
                + " get. Without it only replies to mails of the bot are from a known person."),
        ChannelSetting.optional(
            "user", ChannelSetting.Type.TEXT, "The name for the login; the address if absent."),
        ChannelSetting.optional(
            "login", ChannelSetting.Type.TEXT, "password (the default) or xoauth2."),
        ChannelSetting.optional(
            "imap_security",
            ChannelSetting.Type.TEXT,
            "tls (the default), starttls, or none to this machine."),
        ChannelSetting.optional(
            "smtp_security",
            ChannelSetting.Type.TEXT,
            "tls (the default), starttls, or none to this machine."),
        ChannelSetting.optional(TlsTrust.SETTING, ChannelSetting.Type.TEXT, TlsTrust.DESCRIPTION),
        ChannelSetting.optional(
            "folder", ChannelSetting.Type.TEXT, "The folder that is read; INBOX if absent."),
        ChannelSetting.optional(
            "sent_folder",
            ChannelSetting.Type.TEXT,
            "The folder in which your provider keeps what was sent over SMTP, to look up mails."),
        ChannelSetting.optional(
            "poll",
            ChannelSetting.Type.DURATION,
            "The longest time without looking for mail; 2m if absent."),
        ChannelSetting.optional(
            "token_life",
            ChannelSetting.Type.DURATION,
            "How long a reply address is valid; 30d if absent."),
        ChannelSetting.optional(
            "max_per_hour",
            ChannelSetting.Type.NUMBER,
            "The most mails of one sender in an hour; 60 if absent."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Make a mailbox of its own for the bot; its provider must deliver mail for bot+anything@ to"
            + " bot@.",
        "Switch on IMAP, and make an app password if the provider wants one.",
        "Find the name of the mail server in the header Authentication-Results of any mail in the"
            + " mailbox: it is the first word.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new MailChannel(read(config), context);
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    return new MailCheck(read(config)).run();
  }

  private static MailSettings read(ChannelConfig config) {
    String address =
        config.text("address", MailKind::address).orElseGet(() -> config.requiredText("address"));
    Supplier<ChannelSecret> password = () -> config.requiredSecret("password");
    config.requiredSecret("password"); // refuses a channel without it now, not later
    return new MailSettings(
        config.name(),
        address,
        server(config, "imap", IMAPS, IMAP),
        server(config, "smtp", SUBMISSIONS, SUBMISSION),
        new TlsTrust(config.text(TlsTrust.SETTING, TlsTrust::path)),
        config.text("user").orElse(address),
        password,
        config.oneOf("login", Login.class).orElse(Login.PASSWORD) == Login.XOAUTH2,
        config.text("folder").orElse("INBOX"),
        config.text("sent_folder"),
        config.text("authserv_id"),
        shorter(config.duration("poll").orElse(DEFAULT_POLL), MAX_POLL),
        config.duration("token_life").orElse(DEFAULT_TOKEN_LIFE),
        config.number("max_per_hour", 1, 10_000).orElse(DEFAULT_PER_HOUR));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static MailServer server(ChannelConfig config, String key, int tlsPort, int otherPort) {
    Security security = config.oneOf(key + "_security", Security.class).orElse(Security.TLS);
    config.requiredText(key);
    return config
        .text(key, text -> MailServer.of(text, security, tlsPort, otherPort))
        .orElseThrow();
  }

  private static String address(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!lower.matches("[a-z0-9._=-]{1,20}@[a-z0-9.-]{1,200}")) {
      String rule = "an address such as bot@example.org, with at most 20 characters before the @";
      throw Problem.invalid("address", rule, "must be " + rule).refused();
    }
    return lower;
  }
}
