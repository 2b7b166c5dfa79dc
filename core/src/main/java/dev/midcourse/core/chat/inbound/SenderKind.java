package dev.midcourse.core.chat.inbound;

import dev.midcourse.core.WireNames;

/** What kind of account sent a message. Only a person can talk to a worker. */
public enum SenderKind {
  PERSON,
  /** Another program. */
  BOT,
  /** Our own account. */
  SELF;

  public String wire() {
    return WireNames.name(this);
  }

  public static SenderKind parse(String text) {
    return WireNames.parse(SenderKind.class, "sender_kind", text);
  }
}
