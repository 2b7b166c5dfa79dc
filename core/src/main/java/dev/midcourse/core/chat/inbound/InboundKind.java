package dev.midcourse.core.chat.inbound;

import dev.midcourse.core.WireNames;

/** What happened to a message. */
public enum InboundKind {
  /** It is new. */
  MESSAGE,
  /** Its text was changed. */
  EDIT,
  /** It was deleted. */
  DELETION;

  public String wire() {
    return WireNames.name(this);
  }

  public static InboundKind parse(String text) {
    return WireNames.parse(InboundKind.class, "kind", text);
  }
}
