package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.WireNames;
import java.util.List;
import java.util.Optional;

/** What is sent to a chat. */
public sealed interface OutboundContent {

  /**
   * A new message in Markdown.
   *
   * @param replyTo the message of the platform that it answers
   */
  record Text(String markdown, Optional<String> replyTo) implements OutboundContent {}

  /**
   * The new text of a message that we sent.
   *
   * @param message the outbox id of that message
   */
  record Edit(OutboundId message, String markdown) implements OutboundContent {}

  /**
   * The one reaction of ours on a message; it replaces the one before.
   *
   * @param message the message of the platform
   */
  record Reaction(String message, MessageStatus status) implements OutboundContent {}

  /** A message with buttons. Each button has a random id; its meaning is stored in the ledger. */
  record Card(String title, String markdown, List<Button> buttons) implements OutboundContent {
    public Card {
      buttons = List.copyOf(buttons);
    }
  }

  /** A card that was decided: its buttons go, and its text says what was decided. */
  record CloseCard(OutboundId card, String markdown) implements OutboundContent {}

  /** A file below the data folder. */
  record File(String path, String name, Optional<String> caption) implements OutboundContent {}

  /** A content that a newer version stored and this one cannot read. It cannot be sent. */
  record Unknown(String kind, String json) implements OutboundContent {}

  /** A button of a card. */
  record Button(String id, String label) {}

  /** What became of a person's message, as a reaction shows it. */
  enum MessageStatus {
    RUNNING,
    STEERED,
    QUEUED,
    UNCONFIRMED,
    NOT_DELIVERED,
    STOPPED,
    ERROR,
    DONE;

    public String wire() {
      return WireNames.name(this);
    }

    public static MessageStatus parse(String text) {
      return WireNames.parse(MessageStatus.class, "status", text);
    }
  }
}
