package dev.midcourse.core.chat.route;

import dev.midcourse.core.WireNames;

/** Why a message has no effect. */
public enum DropReason {
  ALREADY_SEEN,
  OWN_MESSAGE,
  OTHER_BOT,
  HIDDEN_SENDER,
  CHAT_NOT_WIRED,
  UNKNOWN_SENDER,
  APPROVAL_PENDING,
  SENDER_SCOPE,
  NOT_ENGAGED,
  NOT_ALLOWED,
  NOTHING_TO_CHANGE,
  TOO_MANY_MESSAGES,
  INTERNAL_ERROR;

  public String wire() {
    return WireNames.name(this);
  }

  public static DropReason parse(String text) {
    return WireNames.parse(DropReason.class, "reason", text);
  }
}
