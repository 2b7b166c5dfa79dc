package dev.midcourse.core.chat.route;

import dev.midcourse.core.WireNames;

/** The gates of a message, in their order. */
public enum Gate {
  /** The message was not seen before. */
  NOT_SEEN,
  /** The message is of a person, not of us or of another program. */
  PERSON,
  /** The message is a stop word or a command. */
  CONTROL,
  /** The sender does not write more than a person would. */
  PACE,
  /** The chat is known and wired to a worker. */
  CHAT,
  /** The sender may talk here. */
  SENDER,
  /** The wiring takes messages of this sender. */
  SENDER_SCOPE,
  /** The worker engages. */
  ENGAGE;

  public String wire() {
    return WireNames.name(this);
  }

  public static Gate parse(String text) {
    return WireNames.parse(Gate.class, "gate", text);
  }
}
