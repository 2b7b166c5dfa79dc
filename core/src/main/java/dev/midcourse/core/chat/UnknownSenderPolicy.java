package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** What happens to a message of a person who may not talk to the chat's workers. */
public enum UnknownSenderPolicy {
  /** The message is dropped. */
  STRICT,
  /** Somebody with authority is asked. This is the default. */
  REQUEST_APPROVAL,
  /** Everybody may talk to the workers. */
  PUBLIC;

  public String wire() {
    return WireNames.name(this);
  }

  public static UnknownSenderPolicy parse(String text) {
    return WireNames.parse(UnknownSenderPolicy.class, "unknown_sender_policy", text);
  }
}
