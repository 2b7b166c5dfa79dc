package dev.midcourse.core.chat.person;

import dev.midcourse.core.chat.ChatIdRule;

/** The id of a person. Midcourse creates it. */
public record PersonId(String value) {
  public PersonId {
    ChatIdRule.check("person_id", value);
  }

  public static PersonId of(String text) {
    return new PersonId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
