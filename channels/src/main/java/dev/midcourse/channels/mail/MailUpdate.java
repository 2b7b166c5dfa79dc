package dev.midcourse.channels.mail;

import dev.midcourse.channels.mail.message.DeliveryReport;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;

/** What a mail is for us. */
sealed interface MailUpdate {
  /**
   * A message of a person, or of somebody who is not proved to be one.
   *
   * @param thread what an answer needs
   */
  record Message(InboundMessage message, MailThread thread) implements MailUpdate {}

  /** A mail to the address of a button. */
  record Click(ButtonClick click) implements MailUpdate {}

  /** The report that a mail of ours was not delivered. */
  record Undelivered(DeliveryReport report) implements MailUpdate {}

  /** A mail that changes nothing. */
  record Skip(String reason) implements MailUpdate {}
}
