package dev.midcourse.core.schedule;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.List;
import java.util.Optional;

/** What a {@link CheckCommand} decided. */
public sealed interface CheckResult {

  /** An agent is woken; the data, as JSON text, is appended to the prompt. */
  record Wake(Optional<String> data) implements CheckResult {}

  /** Nobody is woken, for this reason. */
  record Quiet(String reason) implements CheckResult {}

  /**
   * Reads the output of a program that ended well: its last line that is not blank is {@code
   * {"wake_agent": true, "data": …}}. Any other output wakes nobody.
   */
  static CheckResult parse(String output) {
    List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
    if (lines.isEmpty()) {
      return new Quiet("the check printed nothing");
    }
    try {
      JsonValue last = JsonReader.read(lines.getLast());
      if (last instanceof JsonValue.Obj fields
          && fields.get("wake_agent").orElse(new JsonValue.Null())
              instanceof JsonValue.Bool(boolean wake)) {
        return wake
            ? new Wake(
                fields
                    .get("data")
                    .filter(value -> !(value instanceof JsonValue.Null))
                    .map(JsonWriter::compact))
            : new Quiet("the check decided so");
      }
    } catch (JsonException notJson) {
      // The reason below covers it.
    }
    return new Quiet("the last line of the check is not {\"wake_agent\": true} or false");
  }
}
