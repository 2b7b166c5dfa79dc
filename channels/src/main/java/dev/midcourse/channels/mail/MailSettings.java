package dev.midcourse.channels.mail;

import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.chat.ChannelName;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One mailbox.
 *
 * @param address the address of the bot, in lower case
 * @param trust the authorities whose certificates count
 * @param password is asked at each connection, since an access token changes
 * @param oauth whether the password is an access token for XOAUTH2
 * @param sentFolder where the provider keeps what was sent; empty if nothing can be looked up
 * @param authservId the name of our server in {@code Authentication-Results}; without it only the
 *     tokens of {@code Reply-To} prove who wrote a mail
 * @param poll the longest time without looking for new mail; also renews IDLE
 * @param tokenLife how long the token of a {@code Reply-To} is valid
 * @param maxPerHour the greatest number of mails of one sender in an hour
 */
record MailSettings(
    ChannelName name,
    String address,
    MailServer imap,
    MailServer smtp,
    TlsTrust trust,
    String user,
    Supplier<ChannelSecret> password,
    boolean oauth,
    String folder,
    Optional<String> sentFolder,
    Optional<String> authservId,
    Duration poll,
    Duration tokenLife,
    int maxPerHour) {

  String local() {
    return address.substring(0, address.lastIndexOf('@'));
  }

  String domain() {
    return address.substring(address.lastIndexOf('@') + 1);
  }
}
