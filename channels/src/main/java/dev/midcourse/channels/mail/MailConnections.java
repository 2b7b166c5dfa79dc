package dev.midcourse.channels.mail;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelSecret;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import java.time.Duration;
import java.util.Properties;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * Opens connections to the two servers of a mailbox. Each has time limits and is encrypted, except
 * to this machine.
 */
final class MailConnections {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration SMTP_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final MailSettings settings;

  MailConnections(MailSettings settings) {
    this.settings = settings;
  }

  /**
   * Opens the mailbox. A read of it may take longer than the poll interval, because the server is
   * silent during IDLE.
   */
  IMAPStore openStore() throws MessagingException {
    Properties properties = properties("imap", settings.imap(), settings.poll().plus(GRACE));
    properties.setProperty("mail.imap.peek", "true");
    properties.setProperty("mail.imap.partialfetch", "false"); // one request for each mail
    properties.setProperty("mail.imap.connectionpoolsize", "1");
    trust(properties, "imap");
    Session session = Session.getInstance(properties);
    IMAPStore store = new IMAPStore(session, null);
    connect(store, settings.imap());
    return store;
  }

  SMTPTransport openTransport() throws MessagingException {
    Properties properties = smtpProperties();
    trust(properties, "smtp");
    SMTPTransport transport = new SMTPTransport(Session.getInstance(properties), null);
    connect(transport, settings.smtp());
    return transport;
  }

  /** The session for messages to be written; nothing is read from the system. */
  Session smtpSession() {
    return Session.getInstance(smtpProperties());
  }

  private Properties smtpProperties() {
    Properties properties = properties("smtp", settings.smtp(), SMTP_TIMEOUT);
    properties.setProperty("mail.smtp.from", settings.address());
    properties.setProperty("mail.smtp.localhost", settings.domain());
    properties.setProperty("mail.smtp.auth", "true");
    properties.setProperty("mail.smtp.quitwait", "false");
    return properties;
  }

  private Properties properties(String protocol, MailServer server, Duration timeout) {
    Properties properties = new Properties();
    String prefix = "mail." + protocol + ".";
    properties.setProperty(prefix + "connectiontimeout", millis(CONNECT_TIMEOUT));
    properties.setProperty(prefix + "timeout", millis(timeout));
    properties.setProperty(prefix + "writetimeout", millis(SMTP_TIMEOUT));
    properties.setProperty(prefix + "ssl.checkserveridentity", "true");
    if (settings.oauth()) {
      properties.setProperty(prefix + "auth.mechanisms", "XOAUTH2");
    }
    switch (server.security()) {
      case TLS -> properties.setProperty(prefix + "ssl.enable", "true");
      case STARTTLS -> {
        properties.setProperty(prefix + "starttls.enable", "true");
        properties.setProperty(prefix + "starttls.required", "true");
      }
      case NONE -> {}
    }
    return properties;
  }

  private void trust(Properties properties, String protocol) throws NotConnectedException {
    try {
      properties.put(
          "mail." + protocol + ".ssl.socketFactory", settings.trust().context().getSocketFactory());
    } catch (PermanentFailureException e) {
      throw new NotConnectedException(e.getMessage() + ". " + e.remedy());
    }
  }

  private static String millis(Duration time) {
    return Long.toString(time.toMillis());
  }

  private void connect(jakarta.mail.Service service, MailServer server) throws MessagingException {
    ChannelSecret password = settings.password().get();
    try {
      service.connect(server.host(), server.port(), settings.user(), password.reveal());
    } catch (AuthenticationFailedException e) {
      throw new AuthenticationFailedException(password.redact(String.valueOf(e.getMessage())));
    } catch (MessagingException e) {
      String reason = TlsTrust.refusal(e).orElseGet(() -> String.valueOf(e.getMessage()));
      throw new NotConnectedException(password.redact(reason));
    }
  }

  /** The server could not be reached; nothing was sent. */
  static final class NotConnectedException extends MessagingException {
    private static final long serialVersionUID = 1;

    NotConnectedException(String reason) {
      super(reason);
    }
  }
}
