package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** What happens to a message with which the worker does not engage. */
public enum IgnoredMessagePolicy {
  /** Only the record of the decision is kept. */
  DROP,
  /** The message is kept as context for the next message that wakes the worker. */
  ACCUMULATE;

  public String wire() {
    return WireNames.name(this);
  }

  public static IgnoredMessagePolicy parse(String text) {
    return WireNames.parse(IgnoredMessagePolicy.class, "ignored_message_policy", text);
  }
}
