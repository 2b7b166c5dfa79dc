package dev.midcourse.core.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON value. Immutable; an object keeps the order of its fields. */
public sealed interface JsonValue {

  /** A string. */
  record Str(String value) implements JsonValue {}

  /** A number. The literal is kept as written, so that no digit is lost. */
  record Num(String literal) implements JsonValue {}

  /** True or false. */
  record Bool(boolean value) implements JsonValue {}

  /** The value null. */
  record Null() implements JsonValue {}

  /** An array. */
  record Arr(List<JsonValue> values) implements JsonValue {
    public Arr {
      values = List.copyOf(values);
    }

    /** Returns the values that are objects. Other values are left out. */
    public List<Obj> objects() {
      List<Obj> objects = new ArrayList<>();
      for (JsonValue value : values) {
        if (value instanceof Obj object) {
          objects.add(object);
        }
      }
      return objects;
    }
  }

  /**
   * An object. The typed getters treat a missing field, a null field and a field of another type in
   * the same way: the result is empty.
   */
  record Obj(Map<String, JsonValue> fields) implements JsonValue {
    public static final Obj EMPTY = new Obj(Map.of());

    public Obj {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * Returns the value of a field, also if the value is null. Returns empty if the field is
     * missing.
     */
    public Optional<JsonValue> get(String name) {
      return Optional.ofNullable(fields.get(name));
    }

    /** Returns the value of a string field. */
    public Optional<String> string(String name) {
      return fields.get(name) instanceof Str(String value) ? Optional.of(value) : Optional.empty();
    }

    /** Returns the text of a string, number or boolean field, for display. */
    public Optional<String> text(String name) {
      JsonValue value = fields.get(name);
      if (value instanceof Str(String text)) {
        return Optional.of(text);
      }
      if (value instanceof Num(String literal)) {
        return Optional.of(literal);
      }
      return value instanceof Bool(boolean truth)
          ? Optional.of(Boolean.toString(truth))
          : Optional.empty();
    }

    /** Returns the value of a number field as a whole number. A fraction is cut off. */
    public Optional<Long> number(String name) {
      if (!(fields.get(name) instanceof Num(String literal))) {
        return Optional.empty();
      }
      try {
        return Optional.of(Long.valueOf(literal));
      } catch (NumberFormatException fractionOrTooLarge) {
        return Optional.of(Double.valueOf(literal).longValue());
      }
    }

    /** Returns the value of a number field. */
    public Optional<Double> decimal(String name) {
      return fields.get(name) instanceof Num(String literal)
          ? Optional.of(Double.valueOf(literal))
          : Optional.empty();
    }

    /** Returns whether the field is true. */
    public boolean is(String name) {
      return fields.get(name) instanceof Bool(boolean truth) && truth;
    }

    /** Returns the object in a field, or {@link #EMPTY}. */
    public Obj object(String name) {
      return fields.get(name) instanceof Obj object ? object : EMPTY;
    }

    /** Returns the objects of an array field. */
    public List<Obj> objects(String name) {
      return fields.get(name) instanceof Arr array ? array.objects() : List.of();
    }

    /** Returns the strings of an array field. */
    public List<String> texts(String name) {
      List<String> texts = new ArrayList<>();
      if (fields.get(name) instanceof Arr(List<JsonValue> values)) {
        for (JsonValue value : values) {
          if (value instanceof Str(String text)) {
            texts.add(text);
          }
        }
      }
      return texts;
    }

    /** Returns a copy with this field added or replaced. */
    public Obj with(String name, JsonValue value) {
      Map<String, JsonValue> more = new LinkedHashMap<>(fields);
      more.put(name, value);
      return new Obj(more);
    }

    public Obj with(String name, String value) {
      return with(name, new Str(value));
    }

    public Obj with(String name, long value) {
      return with(name, new Num(Long.toString(value)));
    }

    public Obj with(String name, boolean value) {
      return with(name, new Bool(value));
    }

    /** Returns a copy with this field if there is a value, and otherwise this object. */
    public Obj with(String name, Optional<String> value) {
      return value.isPresent() ? with(name, value.get()) : this;
    }

    /** Returns the JSON text on one line. */
    @Override
    public String toString() {
      return JsonWriter.compact(this);
    }
  }

  static JsonValue of(String value) {
    return new Str(value);
  }

  static JsonValue of(boolean value) {
    return new Bool(value);
  }

  static JsonValue of(long value) {
    return new Num(Long.toString(value));
  }

  /** Returns an array of strings. */
  static Arr strings(List<String> strings) {
    List<JsonValue> values = new ArrayList<>();
    for (String string : strings) {
      values.add(new Str(string));
    }
    return new Arr(values);
  }

  /** Returns the empty object. Fields are added by {@link Obj#with(String, JsonValue)}. */
  static Obj object() {
    return Obj.EMPTY;
  }
}
