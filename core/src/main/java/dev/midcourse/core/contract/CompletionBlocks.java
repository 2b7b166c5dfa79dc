package dev.midcourse.core.contract;

import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the completion in the last answer of an agent: the last block between the two tags that
 * holds one JSON object.
 */
public final class CompletionBlocks {
  private static final String OPEN = "<completion>";
  private static final String CLOSE = "</completion>";

  private CompletionBlocks() {}

  /** Returns the completion; empty if there is none. */
  public static Optional<JsonValue.Obj> last(String answer) {
    return bodies(answer).reversed().stream()
        .flatMap(body -> object(body.strip()).stream())
        .findFirst();
  }

  /** Returns the text between each closing tag and the nearest opening tag before it. */
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

  /** Reads an object, a string that holds an object, or an object with escaped quotes. */
  private static Optional<JsonValue.Obj> object(String body) {
    Optional<JsonValue> read = JsonInput.parse(body).or(() -> JsonInput.parse('"' + body + '"'));
    if (read.isPresent() && read.get() instanceof JsonValue.Str(String inner)) {
      read = JsonInput.parse(inner);
    }
    return read.filter(JsonValue.Obj.class::isInstance).map(JsonValue.Obj.class::cast);
  }
}
