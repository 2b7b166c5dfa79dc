package dev.midcourse.channels.mail;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.mail.message.MailBody;
import dev.midcourse.core.chat.outbound.OutboundId;
import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.search.MessageIDTerm;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * Sends mails, each over a connection of its own. SMTP has no idempotency keys: after a cut
 * connection the result is unknown, and only the folder of sent mail can tell more.
 */
final class MailSender {
  private static final System.Logger LOG = System.getLogger(MailSender.class.getName());
  private static final Duration LOGIN_RETRY_DELAY = Duration.ofMinutes(5);
  private static final Duration RETRY_DELAY = Duration.ofMinutes(1);
  private static final int PERMANENT = 5;
  private static final int TRANSIENT = 4;

  private final MailSettings settings;
  private final MailConnections connections;
  private final MailWriter writer;
  private final InstantSource clock;

  MailSender(
      MailSettings settings, MailConnections connections, MailWriter writer, InstantSource clock) {
    this.settings = settings;
    this.connections = connections;
    this.writer = writer;
    this.clock = clock;
  }

  SendResult send(OutboundId id, ChannelRequest request) {
    MimeMessage mail;
    try {
      mail = writer.write(connections.smtpSession(), id, request, clock.instant());
    } catch (AddressException e) {
      return new SendResult.Refused("the address " + request.to().chat() + " is not valid");
    } catch (MessagingException | IOException e) {
      return new SendResult.Refused("the mail cannot be written: " + e.getMessage());
    }
    SMTPTransport transport;
    try {
      transport = connections.openTransport();
    } catch (AuthenticationFailedException e) {
      return new SendResult.RetryAfter(
          LOGIN_RETRY_DELAY, "the mail server refused the login: " + shown(e));
    } catch (MessagingException e) {
      return new SendResult.RetryAfter(Duration.ZERO, "no connection: " + shown(e));
    }
    SendResult result = transmit(transport, mail, writer.messageId(id, request));
    closeSilently(transport);
    return result;
  }

  private SendResult transmit(SMTPTransport transport, MimeMessage mail, String messageId) {
    try {
      Address[] to = mail.getAllRecipients();
      transport.sendMessage(mail, to);
      return new SendResult.Sent(messageId);
    } catch (MessagingException e) {
      return result(e);
    }
  }

  /** A failure to close must not hide what is known about the mail. */
  private static void closeSilently(SMTPTransport transport) {
    try {
      transport.close();
    } catch (MessagingException e) {
      LOG.log(
          Level.DEBUG,
          "Closing a connection to send mail failed: {0}",
          String.valueOf(e.getMessage()));
    }
  }

  private SendResult result(MessagingException failed) {
    int code = code(failed);
    String reason = "the mail server answered: " + shown(failed);
    return switch (code / 100) {
      case PERMANENT -> new SendResult.Refused(reason);
      case TRANSIENT -> new SendResult.RetryAfter(RETRY_DELAY, reason);
      default -> new SendResult.Unknown("the connection was cut: " + shown(failed));
    };
  }

  /** The answer about the address if there is one, else about the mail; 0 without an answer. */
  private static int code(MessagingException failed) {
    int code = 0;
    Exception at = failed;
    while (at instanceof MessagingException next) {
      if (next instanceof SMTPAddressFailedException address) {
        code = address.getReturnCode();
      } else if (next instanceof SMTPSenderFailedException sender) {
        code = sender.getReturnCode();
      } else if (next instanceof SMTPSendFailedException send && code == 0) {
        code = send.getReturnCode();
      }
      at = next.getNextException();
    }
    return code;
  }

  private String shown(Exception e) {
    return settings.password().get().redact(MailBody.bounded(String.valueOf(e.getMessage())));
  }

  /**
   * Looks for the mail in the folder of sent mail. That it is not there proves nothing, because the
   * provider may store it later.
   */
  LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    Optional<String> folder = settings.sentFolder();
    if (folder.isEmpty()) {
      return new LookUpResult.NotKnown("no folder of sent mail is configured");
    }
    String messageId = writer.messageId(id, request);
    try (IMAPStore store = connections.openStore();
        Folder sent = store.getFolder(folder.get())) {
      sent.open(Folder.READ_ONLY);
      return sent.search(new MessageIDTerm(messageId)).length > 0
          ? new LookUpResult.Found(messageId)
          : new LookUpResult.NotKnown(
              "the mail is not in " + folder.get() + ", but it may have been sent nevertheless");
    } catch (MessagingException e) {
      return new LookUpResult.NotKnown("the mailbox cannot be asked: " + shown(e));
    }
  }
}
