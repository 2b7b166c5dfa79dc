package dev.midcourse.ledger.json;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.question.ChatQuestion;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/** Writes questions of agents as JSON objects and reads them back. */
public final class QuestionCodec {
  private static final ObjectReader QUESTION =
      JsonCodec.mapper()
          .readerFor(ChatQuestion.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

  private QuestionCodec() {}

  public static String encode(ChatQuestion question) {
    return JsonCodec.write(question);
  }

  /** The question; empty if this version cannot read it. */
  public static Optional<ChatQuestion> decode(String json) {
    try {
      return Optional.of(QUESTION.readValue(json));
    } catch (JacksonException | RefusedException unreadable) {
      return Optional.empty();
    }
  }
}
