/**
 * Mail: reads a mailbox over IMAP, sends over SMTP and keeps threads. Not here: reading one mail
 * ({@code channels.mail.message}), when a mail is sent ({@code channels.outbox}), and what a mail
 * means ({@code core.chat.route}).
 */
@NullMarked
package dev.midcourse.channels.mail;

import org.jspecify.annotations.NullMarked;
