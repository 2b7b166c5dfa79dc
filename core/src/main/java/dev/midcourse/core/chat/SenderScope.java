package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** Whose messages a wiring takes. */
public enum SenderScope {
  /** Of everybody whom the chat's policy admits. */
  ALL,
  /** Only of members, admins and owners. */
  KNOWN;

  public String wire() {
    return WireNames.name(this);
  }

  public static SenderScope parse(String text) {
    return WireNames.parse(SenderScope.class, "sender_scope", text);
  }
}
