package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.WireNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
   * @param text the sentence that a channel without reactions sends instead; without one it sends
   *     nothing
   */
  record Reaction(String message, MessageStatus status, Optional<String> text)
      implements OutboundContent {}

  /**
   * A message with buttons. Each button has a random id; its meaning is stored in the ledger. The
   * text is shown as it is: people approve what they see.
   *
   * @param ifTooLong where to read the whole and to decide: a channel whose messages are too short
   *     for the card shows this sentence and no buttons. Without it, a text that is too long is cut
   */
  record Card(String title, String markdown, List<Button> buttons, Optional<String> ifTooLong)
      implements OutboundContent {
    public Card {
      buttons = List.copyOf(buttons);
    }

    public Card(String title, String markdown, List<Button> buttons) {
      this(title, markdown, buttons, Optional.empty());
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

    /**
     * What an agent may say about a message: the state of its own work. The others are receipts,
     * which need evidence.
     */
    public static final Set<MessageStatus> OF_AGENT = Set.of(RUNNING, DONE, ERROR);

    public String wire() {
      return WireNames.name(this);
    }

    public static MessageStatus parse(String text) {
      return WireNames.parse(MessageStatus.class, "status", text);
    }
  }
}
