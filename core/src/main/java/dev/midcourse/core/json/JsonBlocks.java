package dev.midcourse.core.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds JSON objects that an agent wrote between two tags in the middle of other text. */
public final class JsonBlocks {
  private JsonBlocks() {}

  /** Returns the last block between these tags that holds one JSON object. */
  public static Optional<JsonValue.Obj> last(String tag, String answer) {
    return bodies(tag, answer).reversed().stream()
        .flatMap(body -> object(body.strip()).stream())
        .findFirst();
  }

  /** Returns the text between each closing tag and the nearest opening tag before it. */
  private static List<String> bodies(String tag, String answer) {
    String opening = "<" + tag + ">";
    String closing = "</" + tag + ">";
    String lower = answer.toLowerCase(Locale.ROOT);
    String text = lower.length() == answer.length() ? lower : answer;
    List<String> bodies = new ArrayList<>();
    int from = 0;
    for (int close = text.indexOf(closing); close >= 0; close = text.indexOf(closing, from)) {
      int open = text.lastIndexOf(opening, close);
      if (open >= from) {
        bodies.add(answer.substring(open + opening.length(), close));
      }
      from = close + closing.length();
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
