package dev.midcourse.core.json;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the fields of a JSON object and collects every problem with its field and rule. Only {@link
 * #finish} and {@link #throwProblems} throw for invalid fields. A field with a problem reads as
 * empty. A null field counts as missing.
 */
public final class ObjectReader {
  private final JsonValue.Obj object;
  private final String prefix;
  private final List<Problem> problems;
  private final Set<String> known = new LinkedHashSet<>();

  public ObjectReader(JsonValue.Obj object) {
    this(object, "", new ArrayList<>());
  }

  private ObjectReader(JsonValue.Obj object, String prefix, List<Problem> problems) {
    this.object = object;
    this.prefix = prefix;
    this.problems = problems;
  }

  /**
   * Returns the problems so far, including those of inner objects, in the order in which they were
   * found.
   */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** Returns whether this field has no problem so far. */
  public boolean isValid(String field) {
    return problems.stream().noneMatch(problem -> problem.field().equals(prefix + field));
  }

  /** Adds a problem. The message says that the field must be as the rule says. */
  public void report(String field, String rule) {
    report(field, rule, prefix + field + " must be " + rule);
  }

  /** Adds a problem with the given message. */
  public void report(String field, String rule, String message) {
    problems.add(Problem.invalid(prefix + field, rule, message));
  }

  /** Returns a value of any type. */
  public Optional<JsonValue> optionalValue(String field) {
    known.add(field);
    return object.get(field).filter(value -> !(value instanceof JsonValue.Null));
  }

  /** Returns a value of any type. Reports a missing field. */
  public Optional<JsonValue> requiredValue(String field) {
    Optional<JsonValue> value = optionalValue(field);
    if (value.isEmpty()) {
      report(field, "required", prefix + field + " is missing");
    }
    return value;
  }

  /** Returns a string. */
  public Optional<String> optional(String field) {
    return optional(field, Function.identity());
  }

  /**
   * Returns a parsed string. If the parser refuses the string, reports the problem of the parser.
   */
  public <T> Optional<T> optional(String field, Function<String, T> parser) {
    return optionalValue(field).flatMap(value -> parsed(field, value, parser));
  }

  /** Returns the enum constant that the field names. */
  public <E extends Enum<E>> Optional<E> optional(String field, Class<E> type) {
    return optional(field, text -> WireNames.parse(type, prefix + field, text));
  }

  /** Returns a string that is not blank. Reports a missing field. */
  public Optional<String> required(String field) {
    return required(field, ObjectReader::notBlank);
  }

  /** Returns a parsed string. Reports a missing field. */
  public <T> Optional<T> required(String field, Function<String, T> parser) {
    return requiredValue(field).flatMap(value -> parsed(field, value, parser));
  }

  /** Returns the enum constant that the field names. Reports a missing field. */
  public <E extends Enum<E>> Optional<E> required(String field, Class<E> type) {
    return required(field, text -> WireNames.parse(type, prefix + field, text));
  }

  /** Returns a whole number in these bounds. */
  public Optional<Long> optionalNumber(String field, long min, long max) {
    return optionalValue(field)
        .flatMap(value -> {
          Optional<Long> number = wholeNumber(value).filter(it -> it >= min && it <= max);
          if (number.isEmpty()) {
            report(field, "a whole number from " + min + " to " + max);
          }
          return number;
        });
  }

  /** Returns true or false. A missing field is false. */
  public boolean flag(String field) {
    return optionalValue(field).map(value -> truth(field, value)).orElse(false);
  }

  /** Returns true or false. A missing field is false, and null is reported. */
  public boolean flagNotNull(String field) {
    known.add(field);
    return object.get(field).map(value -> truth(field, value)).orElse(false);
  }

  /** Returns a list of strings, none of them blank. A missing field is an empty list. */
  public List<String> optionalStrings(String field) {
    return optionalValue(field).flatMap(value -> strings(field, value)).orElse(List.of());
  }

  /** Returns a list of strings, none of them blank. Reports a missing field. */
  public Optional<List<String>> requiredStrings(String field) {
    return requiredValue(field).flatMap(value -> strings(field, value));
  }

  /**
   * Returns the reader of an inner object. Its problems are reported here, with both names: {@code
   * outer.inner}.
   */
  public Optional<ObjectReader> requiredObject(String field) {
    Optional<JsonValue> value = requiredValue(field);
    if (value.isPresent() && value.get() instanceof JsonValue.Obj inner) {
      return Optional.of(new ObjectReader(inner, prefix + field + ".", problems));
    }
    if (value.isPresent()) {
      report(field, "an object");
    }
    return Optional.empty();
  }

  /** Returns the fields that were not read, in the order of the object. */
  public List<String> unreadFields() {
    return object.fields().keySet().stream().filter(name -> !known.contains(name)).toList();
  }

  /**
   * Reports every field that was not read.
   *
   * @throws RefusedException if there is a problem; the exception carries all problems
   */
  public void finish() {
    String rule = "one of: " + String.join(", ", known);
    for (String field : unreadFields()) {
      report(field, rule, "unknown field " + WireNames.shown(prefix + field) + "; use " + rule);
    }
    throwProblems();
  }

  /**
   * Throws if there is a problem. Fields that were not read are allowed.
   *
   * @throws RefusedException if there is a problem; the exception carries all problems
   */
  public void throwProblems() {
    if (!problems.isEmpty()) {
      throw RefusedException.of(problems);
    }
  }

  private <T> Optional<T> parsed(String field, JsonValue value, Function<String, T> parser) {
    if (!(value instanceof JsonValue.Str(String text))) {
      report(field, "a string");
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text));
    } catch (RefusedException refused) {
      Problem why = refused.problem();
      String message = why.field().isEmpty() ? prefix + field + " " + why.message() : why.message();
      problems.add(new Problem(why.code(), prefix + field, why.rule(), message));
      return Optional.empty();
    }
  }

  /** Returns the text. Refuses blank text. */
  public static String notBlank(String text) {
    if (text.isBlank()) {
      throw Problem.invalid("", "not blank", "is blank").refused();
    }
    return text;
  }

  private static Optional<Long> wholeNumber(JsonValue value) {
    if (!(value instanceof JsonValue.Num(String literal))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.valueOf(literal));
    } catch (NumberFormatException fractionOrTooLarge) {
      return Optional.empty();
    }
  }

  private boolean truth(String field, JsonValue value) {
    if (value instanceof JsonValue.Bool(boolean truth)) {
      return truth;
    }
    report(field, "true or false");
    return false;
  }

  private Optional<List<String>> strings(String field, JsonValue value) {
    if (!(value instanceof JsonValue.Arr(List<JsonValue> items))) {
      report(field, "a list of strings");
      return Optional.empty();
    }
    List<String> strings = new ArrayList<>();
    for (JsonValue item : items) {
      if (item instanceof JsonValue.Str(String text) && !text.isBlank()) {
        strings.add(text);
      } else {
        report(field, "a list of strings, none of them blank");
        return Optional.empty();
      }
    }
    return Optional.of(strings);
  }
}
