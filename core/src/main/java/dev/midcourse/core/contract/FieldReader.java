package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** An object under examination: reads its fields one by one and collects all that is wrong. */
final class FieldReader {
  private final JsonValue.Obj fields;
  private final String prefix;
  private final List<Problem> problems;

  FieldReader(JsonValue.Obj fields) {
    this(fields, "", new ArrayList<>());
  }

  private FieldReader(JsonValue.Obj fields, String prefix, List<Problem> problems) {
    this.fields = fields;
    this.prefix = prefix;
    this.problems = problems;
  }

  List<Problem> problems() {
    return problems;
  }

  void wrong(String field, String rule) {
    wrong(field, rule, prefix + field + " must be " + rule);
  }

  void wrong(String field, String rule, String message) {
    problems.add(Problem.invalid(prefix + field, rule, message));
  }

  /** The field unless it is absent; null counts as absent. */
  Optional<JsonValue> present(String field) {
    return fields.get(field).filter(value -> !(value instanceof JsonValue.Null));
  }

  /** A string that passes the parser; absent is allowed. */
  <T> Optional<T> optional(String field, Function<String, T> parser) {
    return present(field).flatMap(value -> parsed(field, value, parser));
  }

  /** A string that passes the parser; absent is a problem. */
  <T> Optional<T> required(String field, Function<String, T> parser) {
    Optional<JsonValue> value = present(field);
    if (value.isEmpty()) {
      wrong(field, "required", prefix + field + " is missing");
      return Optional.empty();
    }
    return parsed(field, value.get(), parser);
  }

  private <T> Optional<T> parsed(String field, JsonValue value, Function<String, T> parser) {
    if (!(value instanceof JsonValue.Str(String text))) {
      wrong(field, "a string");
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text));
    } catch (RefusedException refused) {
      Problem why = refused.problem();
      problems.add(new Problem(why.code(), prefix + field, why.rule(), why.message()));
      return Optional.empty();
    }
  }

  /** One of an enumeration's names. */
  <E extends Enum<E>> Function<String, E> oneOf(Class<E> type, String field) {
    return text -> WireNames.parse(type, field, text);
  }

  boolean flag(String field, boolean nullIsAbsent) {
    Optional<JsonValue> value = nullIsAbsent ? present(field) : fields.get(field);
    if (value.isEmpty()) {
      return false;
    }
    if (value.get() instanceof JsonValue.Bool(boolean flag)) {
      return flag;
    }
    wrong(field, "true or false");
    return false;
  }

  /** A list of strings none of which is blank; absent is a problem, and so is another type. */
  Optional<List<String>> texts(String field) {
    Optional<JsonValue> value = present(field);
    if (value.isEmpty()) {
      wrong(field, "required", prefix + field + " is missing");
      return Optional.empty();
    }
    if (!(value.get() instanceof JsonValue.Arr(List<JsonValue> items))) {
      wrong(field, "a list of strings");
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    for (JsonValue item : items) {
      if (item instanceof JsonValue.Str(String text) && !text.isBlank()) {
        texts.add(text);
      } else {
        wrong(field, "a list of strings, none of them blank");
        return Optional.empty();
      }
    }
    return Optional.of(texts);
  }

  /** An object inside; its fields are named with a dot. */
  Optional<FieldReader> inner(String field) {
    Optional<JsonValue> value = present(field);
    if (value.isEmpty()) {
      wrong(field, "required", prefix + field + " is missing");
      return Optional.empty();
    }
    if (value.get() instanceof JsonValue.Obj object) {
      return Optional.of(new FieldReader(object, prefix + field + ".", problems));
    }
    wrong(field, "an object");
    return Optional.empty();
  }
}
