package dev.midcourse.channels.matrix;

import dev.midcourse.core.chat.inbound.InboundMessage;

/** What an event of a timeline means. */
sealed interface MatrixUpdate {
  /** A message, an edit or a deletion. */
  record Message(InboundMessage message) implements MatrixUpdate {}

  /** An event that only its recipients can read. */
  record Encrypted() implements MatrixUpdate {}

  /** The room is replaced by another one. */
  record Moved(String room) implements MatrixUpdate {}

  /** The room has a new name. */
  record Renamed(String name) implements MatrixUpdate {}

  /** An event that changes nothing. */
  record Skip() implements MatrixUpdate {}
}
