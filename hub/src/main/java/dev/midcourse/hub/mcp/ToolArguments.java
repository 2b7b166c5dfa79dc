package dev.midcourse.hub.mcp;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.json.JsonValue;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The arguments of one call; asks for each that there may be, then {@link #noMore}. */
final class ToolArguments {
  private final JsonValue.Obj fields;
  private final Set<String> known = new HashSet<>();

  ToolArguments(JsonValue.Obj fields) {
    this.fields = fields;
  }

  Optional<JsonValue> value(String name) {
    known.add(name);
    return fields.get(name).filter(value -> !(value instanceof JsonValue.Null));
  }

  Optional<String> text(String name) {
    return value(name)
        .map(value -> {
          if (value instanceof JsonValue.Str(String text)) {
            return text;
          }
          throw wrong(name, "a string");
        });
  }

  <T> Optional<T> text(String name, Function<String, T> rule) {
    return text(name).map(rule);
  }

  String required(String name) {
    return text(name).orElseThrow(() -> wrong(name, "required"));
  }

  Optional<Long> number(String name, long from, long to) {
    String rule = "a whole number from " + from + " to " + to;
    return value(name)
        .map(value -> {
          if (value instanceof JsonValue.Num(String written) && written.matches("\\d{1,9}")) {
            long number = Long.parseLong(written);
            if (number >= from && number <= to) {
              return number;
            }
          }
          throw wrong(name, rule);
        });
  }

  List<String> texts(String name) {
    Optional<JsonValue> value = value(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get() instanceof JsonValue.Arr(List<JsonValue> items)
        && items.stream().allMatch(JsonValue.Str.class::isInstance)) {
      return items.stream().map(JsonValue.Str.class::cast).map(JsonValue.Str::value).toList();
    }
    throw wrong(name, "a list of strings");
  }

  void noMore() {
    for (String name : fields.fields().keySet()) {
      if (!known.contains(name)) {
        throw wrong(name, "one of: " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  private static RefusedException wrong(String name, String rule) {
    return Problem.invalid(name, rule, name + " must be " + rule).refused();
  }
}
