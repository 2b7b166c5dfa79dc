package dev.midcourse.proof.chat;

import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import java.util.List;
import java.util.Optional;

/**
 * A message as the people of a chat see it.
 *
 * @param author a person, or {@link ScriptedPlatform#BOT}
 * @param reaction the reaction of the bot
 * @param buttons empty once a card is closed
 */
public record PlatformMessage(
    String id,
    String chat,
    Optional<String> thread,
    String author,
    String text,
    Optional<String> replyTo,
    Optional<MessageStatus> reaction,
    List<Button> buttons) {
  public PlatformMessage {
    buttons = List.copyOf(buttons);
  }

  PlatformMessage withText(String other) {
    return new PlatformMessage(id, chat, thread, author, other, replyTo, reaction, buttons);
  }

  PlatformMessage withReaction(MessageStatus status) {
    return new PlatformMessage(
        id, chat, thread, author, text, replyTo, Optional.of(status), buttons);
  }

  PlatformMessage withoutButtons() {
    return new PlatformMessage(id, chat, thread, author, text, replyTo, reaction, List.of());
  }
}
