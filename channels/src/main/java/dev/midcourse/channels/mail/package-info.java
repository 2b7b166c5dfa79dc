/**
 * Mail: reads a mailbox over IMAP, sends over SMTP, keeps threads and tells who really wrote a
 * mail.
 *
 * <p>Not here: when a mail is sent, and what a mail means.
 */
@NullMarked
package dev.midcourse.channels.mail;

import org.jspecify.annotations.NullMarked;
