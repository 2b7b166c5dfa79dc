package dev.midcourse.channels.mail;

import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.mail.message.AuthenticationResults;
import dev.midcourse.channels.mail.message.MailBody;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** Logs in to both servers and says what is missing. */
final class MailCheck {
  private static final String LOGIN_REMEDY =
      "Check user and password; many providers want an app password, or login = \"xoauth2\".";
  private static final String SERVER_REMEDY =
      "Check the host, the port and the security (tls, starttls) of the server.";

  private final MailSettings settings;
  private final MailConnections connections;
  private final List<ChannelCheck> results = new ArrayList<>();

  MailCheck(MailSettings settings) {
    this.settings = settings;
    this.connections = new MailConnections(settings);
  }

  List<ChannelCheck> run() {
    checkMailbox();
    checkSending();
    return List.copyOf(results);
  }

  private void checkMailbox() {
    try (IMAPStore store = connections.openStore()) { // which closes the folder, too
      Folder folder = store.getFolder(settings.folder());
      if (!folder.exists()) {
        results.add(
            ChannelCheck.failed(
                "the mailbox has no folder " + settings.folder(), "Correct the setting folder."));
        return;
      }
      folder.open(Folder.READ_ONLY);
      results.add(
          ChannelCheck.ok(
              "reads %s of %s, %d mails"
                  .formatted(settings.folder(), settings.address(), folder.getMessageCount())));
      results.add(
          store.hasCapability("IDLE")
              ? ChannelCheck.ok("the server announces new mail at once (IDLE)")
              : ChannelCheck.warning(
                  "the server cannot announce new mail (IDLE); it is looked for every "
                      + settings.poll().toSeconds()
                      + " s",
                  "Nothing must be done; a shorter poll finds mail sooner."));
      checkAuthservId(folder);
      checkSentFolder(store);
    } catch (MessagingException e) {
      results.add(failed("IMAP", e));
    }
  }

  private void checkAuthservId(Folder folder) throws MessagingException {
    if (settings.authservId().isPresent()) {
      results.add(
          ChannelCheck.ok("trusts the checks of senders by " + settings.authservId().get()));
      return;
    }
    Optional<String> seen = Optional.empty();
    int count = folder.getMessageCount();
    if (count > 0) {
      String[] headers = folder.getMessage(count).getHeader("Authentication-Results");
      seen = Optional.ofNullable(headers).map(all -> AuthenticationResults.authservIdOf(all[0]));
    }
    results.add(
        ChannelCheck.warning(
            "authserv_id is not set: only replies to mails of the bot are from a known person",
            seen.filter(id -> !id.isBlank())
                .map(id ->
                    "If %s is your own mail server, set authserv_id = \"%s\".".formatted(id, id))
                .orElse(
                    "Set authserv_id to the first word of the header Authentication-Results of a"
                        + " mail in the mailbox.")));
  }

  private void checkSentFolder(IMAPStore store) throws MessagingException {
    if (settings.sentFolder().isPresent()
        && !store.getFolder(settings.sentFolder().get()).exists()) {
      results.add(
          ChannelCheck.warning(
              "the mailbox has no folder " + settings.sentFolder().get(),
              "Correct the setting sent_folder, or leave it out."));
    }
  }

  private void checkSending() {
    try (SMTPTransport transport = connections.openTransport()) {
      results.add(
          transport.isConnected()
              ? ChannelCheck.ok("may send as " + settings.address())
              : ChannelCheck.failed("the SMTP server closed the connection", SERVER_REMEDY));
    } catch (MessagingException e) {
      results.add(failed("SMTP", e));
    }
  }

  private ChannelCheck failed(String protocol, MessagingException e) {
    boolean isLogin = e instanceof AuthenticationFailedException;
    String reason = settings.password().get().redact(String.valueOf(e.getMessage()));
    return ChannelCheck.failed(
        "%s: %s".formatted(protocol, MailBody.bounded(reason)),
        isLogin ? LOGIN_REMEDY : SERVER_REMEDY);
  }
}
