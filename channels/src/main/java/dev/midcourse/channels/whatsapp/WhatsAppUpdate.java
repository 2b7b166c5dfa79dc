package dev.midcourse.channels.whatsapp;

import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;

/** What the platform delivers. */
sealed interface WhatsAppUpdate {
  /** A message of a person. */
  record Message(InboundMessage message) implements WhatsAppUpdate {}

  /** A click on a button or a row of a list. */
  record Click(ButtonClick click) implements WhatsAppUpdate {}

  /** A person has another id from now on. */
  record Moved(String oldChat, String newChat) implements WhatsAppUpdate {}

  /** A message of ours was taken before and did not arrive. */
  record Undelivered(String chat, String message, WhatsAppError error) implements WhatsAppUpdate {}
}
