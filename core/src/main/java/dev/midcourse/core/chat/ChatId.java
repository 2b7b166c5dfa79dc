package dev.midcourse.core.chat;

/** The id of a chat. Midcourse creates it. */
public record ChatId(String value) {
  public ChatId {
    ChatIdRule.check("chat_id", value);
  }

  public static ChatId of(String text) {
    return new ChatId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
