package dev.midcourse.engine.conversation.tools;

import dev.midcourse.core.Problem;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A question with fixed answers.
 *
 * @param atMost how long an answer is waited for
 */
public record QuestionRequest(
    String title, String question, List<String> options, Duration atMost) {
  public static final int MAX_OPTIONS = 10;
  public static final Duration DEFAULT_WAIT = Duration.ofMinutes(5);
  public static final Duration MAX_WAIT = Duration.ofHours(1);

  private static final int MAX_TITLE = 100;
  private static final int MAX_QUESTION = 3_000;
  private static final int MAX_OPTION = 60;

  public QuestionRequest {
    options = List.copyOf(options);
  }

  /** Refuses what does not fit on a card. */
  void check() {
    bounded("title", title, MAX_TITLE);
    bounded("question", question, MAX_QUESTION);
    if (options.isEmpty() || options.size() > MAX_OPTIONS) {
      throw Problem.invalid("options", "1 to 10 answers", "a question has 1 to 10 answers")
          .refused();
    }
    Set<String> different = new HashSet<>();
    for (String option : options) {
      bounded("options", option, MAX_OPTION);
      if (!different.add(option.strip().toLowerCase(Locale.ROOT))) {
        throw Problem.invalid("options", "different answers", "two answers are the same").refused();
      }
    }
    if (!atMost.isPositive() || atMost.compareTo(MAX_WAIT) > 0) {
      throw Problem.invalid(
              "timeout_seconds", "1 to 3600", "a question waits 1 second to 1 hour for an answer")
          .refused();
    }
  }

  private static void bounded(String field, String text, int most) {
    MessageText.check(field, text);
    if (text.length() > most) {
      throw Problem.invalid(
              field, "at most " + most + " characters", field + " is longer than " + most)
          .refused();
    }
  }
}
