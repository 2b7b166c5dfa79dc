package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** Whether a chat has one person or several. */
public enum ChatKind {
  /** A direct message: one person and the bot. */
  DIRECT,
  /** A group, a room, a channel. */
  GROUP;

  public String wire() {
    return WireNames.name(this);
  }

  public static ChatKind parse(String text) {
    return WireNames.parse(ChatKind.class, "kind", text);
  }
}
