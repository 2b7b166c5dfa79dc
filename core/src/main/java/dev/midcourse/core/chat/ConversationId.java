package dev.midcourse.core.chat;

/** The id of a conversation. Midcourse creates it. */
public record ConversationId(String value) {
  public ConversationId {
    ChatIdRule.check("conversation_id", value);
  }

  public static ConversationId of(String text) {
    return new ConversationId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
