package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** Which messages share a conversation. */
public enum SessionMode {
  /** All messages of the chat. */
  SHARED,
  /** The messages of one thread. */
  PER_THREAD,
  /** All messages for the worker, in all chats. */
  PER_WORKER;

  public String wire() {
    return WireNames.name(this);
  }

  public static SessionMode parse(String text) {
    return WireNames.parse(SessionMode.class, "session_mode", text);
  }
}
