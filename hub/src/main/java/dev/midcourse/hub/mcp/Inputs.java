package dev.midcourse.hub.mcp;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The arguments of one call; asks for each that there may be, then {@link #noMore}. */
final class Inputs {
  private final Value.Fields fields;
  private final Set<String> known = new HashSet<>();

  Inputs(Value.Fields fields) {
    this.fields = fields;
  }

  Optional<Value> value(String name) {
    known.add(name);
    return fields.get(name).filter(value -> !(value instanceof Value.Null));
  }

  Optional<String> text(String name) {
    return value(name)
        .map(value -> {
          if (value instanceof Value.Text(String text)) {
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
          if (value instanceof Value.Digits(String written) && written.matches("\\d{1,9}")) {
            long number = Long.parseLong(written);
            if (number >= from && number <= to) {
              return number;
            }
          }
          throw wrong(name, rule);
        });
  }

  List<String> texts(String name) {
    Optional<Value> value = value(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get() instanceof Value.Many(List<Value> items)
        && items.stream().allMatch(Value.Text.class::isInstance)) {
      return items.stream().map(Value.Text.class::cast).map(Value.Text::value).toList();
    }
    throw wrong(name, "a list of strings");
  }

  void noMore() {
    for (String name : fields.byName().keySet()) {
      if (!known.contains(name)) {
        throw wrong(name, "one of: " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  private static RefusedException wrong(String name, String rule) {
    return Problem.invalid(name, rule, name + " must be " + rule).refused();
  }
}
