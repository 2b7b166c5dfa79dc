package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.Message;
import dev.midcourse.proof.model.wire.ModelRequest;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * A request as it arrived, its number among the requests of its kind in its lane (from 1), and its
 * outcome.
 */
public record RecordedRequest(
    int number, Instant at, String body, ModelRequest request, Step played, Outcome outcome) {

  /** The progress of the answer. */
  public enum Outcome {
    /** Not answered yet. */
    OPEN,
    /** The complete answer was sent. */
    ANSWERED,
    /** Refused or cut by the script. */
    REFUSED,
    /** The agent disconnected before the answer was complete. */
    ABANDONED
  }

  /**
   * Returns the conversation in order, one or more lines for each message, without the system
   * prompt.
   */
  public String text() {
    return request.conversation().stream().map(Message::text).collect(Collectors.joining("\n"));
  }

  public boolean contains(String words) {
    return text().contains(words);
  }

  /** Returns how often this text is in the conversation. */
  public int occurrences(String words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("nothing to look for");
    }
    var text = text();
    int count = 0;
    for (int at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length())) {
      count++;
    }
    return count;
  }

  RecordedRequest became(Outcome now) {
    return new RecordedRequest(number, at, body, request, played, now);
  }
}
