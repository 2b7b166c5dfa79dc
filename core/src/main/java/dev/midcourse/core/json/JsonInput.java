package dev.midcourse.core.json;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.util.Optional;

/**
 * Reads JSON that an agent, a lead or a client sends. Refuses text that is not one JSON value,
 * nesting deeper than {@link #MAX_DEPTH}, and numbers outside the range of a double: other readers
 * of the stored text could not read them.
 */
public final class JsonInput {
  static final int MAX_DEPTH = 64;

  private JsonInput() {}

  /**
   * Returns the value.
   *
   * @param field the field that the refusal names
   * @throws RefusedException if the text is refused; the message says where and why
   */
  public static JsonValue read(String field, String text) {
    if (text.isBlank()) {
      throw Problem.invalid(field, "one JSON value", field + " is empty").refused();
    }
    try {
      JsonValue value = JsonReader.read(text, MAX_DEPTH);
      requireFinite(field, value);
      return value;
    } catch (JsonException e) {
      throw new RefusedException(
          Problem.invalid(
              field,
              "one JSON object and nothing around it",
              field + " is not valid JSON: " + e.getMessage()),
          e);
    }
  }

  /** Returns the value; empty if the text is refused. */
  public static Optional<JsonValue> parse(String text) {
    try {
      return Optional.of(read("text", text));
    } catch (RefusedException refused) {
      return Optional.empty();
    }
  }

  private static void requireFinite(String field, JsonValue value) {
    switch (value) {
      case JsonValue.Num(String literal) -> {
        if (!Double.isFinite(Double.parseDouble(literal))) {
          throw Problem.invalid(
                  field, "numbers within the range of a double", field + " has too large a number")
              .refused();
        }
      }
      case JsonValue.Arr array -> array.values().forEach(item -> requireFinite(field, item));
      case JsonValue.Obj object ->
          object.fields().values().forEach(item -> requireFinite(field, item));
      case JsonValue.Str _, JsonValue.Bool _, JsonValue.Null _ -> {}
    }
  }
}
