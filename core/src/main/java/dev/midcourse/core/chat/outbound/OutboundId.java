package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.chat.ChatIdRule;

/** The id of a message in the outbox. */
public record OutboundId(String value) {
  public OutboundId {
    ChatIdRule.check("outbound_id", value);
  }

  public static OutboundId of(String text) {
    return new OutboundId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
