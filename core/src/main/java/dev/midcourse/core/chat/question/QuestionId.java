package dev.midcourse.core.chat.question;

import dev.midcourse.core.chat.ChatIdRule;

/** The id of a question. Midcourse creates it. */
public record QuestionId(String value) {
  public QuestionId {
    ChatIdRule.check("question_id", value);
  }

  public static QuestionId of(String text) {
    return new QuestionId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
