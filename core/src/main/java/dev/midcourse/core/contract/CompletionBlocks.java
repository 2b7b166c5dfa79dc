package dev.midcourse.core.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the completion in an agent's last words: the last block between the two tags that holds one
 * JSON object. Whoever asks brings the JSON reader.
 */
public final class CompletionBlocks {
  private static final String OPEN = "<completion>";
  private static final String CLOSE = "</completion>";

  private CompletionBlocks() {}

  /**
   * The completion, if there is one.
   *
   * @param json reads one JSON text, or nothing when it is not one
   */
  public static Optional<Value.Fields> last(String answer, Function<String, Optional<Value>> json) {
    return bodies(answer).reversed().stream()
        .flatMap(body -> object(body.strip(), json).stream())
        .findFirst();
  }

  /** What stands between each closing tag and the nearest opening tag before it. */
  private static List<String> bodies(String answer) {
    String lower = answer.toLowerCase(Locale.ROOT);
    String text = lower.length() == answer.length() ? lower : answer;
    List<String> bodies = new ArrayList<>();
    int from = 0;
    for (int close = text.indexOf(CLOSE); close >= 0; close = text.indexOf(CLOSE, from)) {
      int open = text.lastIndexOf(OPEN, close);
      if (open >= from) {
        bodies.add(answer.substring(open + OPEN.length(), close));
      }
      from = close + CLOSE.length();
    }
    return bodies;
  }

  /** An object, a string that holds one, or one whose quotes were escaped on the way. */
  private static Optional<Value.Fields> object(
      String body, Function<String, Optional<Value>> json) {
    Optional<Value> read = json.apply(body).or(() -> json.apply('"' + body + '"'));
    if (read.isPresent() && read.get() instanceof Value.Text(String inner)) {
      read = json.apply(inner);
    }
    return read.filter(Value.Fields.class::isInstance).map(Value.Fields.class::cast);
  }
}
