package dev.midcourse.engine.conversation;

import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.ledger.chat.ChatReader;
import java.util.List;
import java.util.Optional;

/**
 * Finds the button that a person means by the number of an answer, as a channel without buttons
 * asks for it: in a reply to the card, or as the next message after the card.
 */
final class CardChoice {
  private static final int MAX_SEARCHED = 20;

  private CardChoice() {}

  /** Whether the message is nothing but a small number. */
  static boolean isNumber(InboundMessage message) {
    return message.kind() == InboundKind.MESSAGE && message.bareText().matches("[1-9][0-9]?");
  }

  static Optional<String> of(ChatReader chats, InboundMessage message) {
    if (!isNumber(message)) {
      return Optional.empty();
    }
    int number = Integer.parseInt(message.bareText());
    return card(
            chats.outboxOf(message.ref().channel(), message.ref().chat(), MAX_SEARCHED), message)
        .filter(card -> number <= card.buttons().size())
        .map(card -> card.buttons().get(number - 1).id());
  }

  /** Of our messages in the chat, the newest first, the card that the message answers. */
  private static Optional<Card> card(List<OutboundMessage> ours, InboundMessage message) {
    Optional<String> replied = message.replyTo().map(QuotedMessage::message);
    return ours.stream()
        .filter(sent ->
            sent.content() instanceof Card || sent.content() instanceof OutboundContent.Text)
        .filter(sent -> replied.isEmpty() || replied.equals(sent.platformId()))
        .findFirst()
        .map(OutboundMessage::content)
        .filter(Card.class::isInstance)
        .map(Card.class::cast);
  }
}
