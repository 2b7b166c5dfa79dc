package dev.midcourse.core.chat.route;

import dev.midcourse.core.WireNames;

/** What the sender of a message is told. */
public enum TellReason {
  /** The message replies to something that belongs to no known run. */
  UNKNOWN_REPLY,
  /** There is no run to stop. */
  NOTHING_TO_STOP,
  /** The sender may not do this. */
  NOT_ALLOWED,
  /** The edited or deleted message has already reached the agent. */
  TOO_LATE_TO_CHANGE,
  /** The sender writes so much that a program is likely behind it. */
  TOO_MANY_MESSAGES,
  /** The chat was wired by this message; its command is to be sent again. */
  SEND_AGAIN,
  /** The text is longer than an agent can be given while it works. */
  TOO_LONG;

  public String wire() {
    return WireNames.name(this);
  }

  public static TellReason parse(String text) {
    return WireNames.parse(TellReason.class, "reason", text);
  }
}
