package dev.midcourse.cli.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON value. Immutable; objects keep the order of their fields. */
public sealed interface Json {

  /** Text. */
  record Str(String value) implements Json {}

  /** A number as it was written, so that nothing is lost on its way through. */
  record Num(String literal) implements Json {}

  /** True or false. */
  record Bool(boolean value) implements Json {}

  /** The value null. */
  record Null() implements Json {}

  /** Values in order. */
  record Arr(List<Json> values) implements Json {
    public Arr {
      values = Collections.unmodifiableList(values);
    }

    /** Those of the values that are objects. */
    public List<Obj> objects() {
      List<Obj> objects = new ArrayList<>();
      for (Json value : values) {
        if (value instanceof Obj object) {
          objects.add(object);
        }
      }
      return objects;
    }
  }

  /** Named values. A field that is missing and one that is null are the same to a reader. */
  record Obj(Map<String, Json> fields) implements Json {
    public static final Obj EMPTY = new Obj(Map.of());

    public Obj {
      fields = Collections.unmodifiableMap(fields);
    }

    /** The text of a field; a number or a boolean as it is written. */
    public Optional<String> text(String name) {
      Json value = fields.get(name);
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

    /** A whole number; a fraction is cut off. */
    public Optional<Long> number(String name) {
      return decimal(name).map(Double::longValue);
    }

    public Optional<Double> decimal(String name) {
      return fields.get(name) instanceof Num(String literal)
          ? Optional.of(Double.valueOf(literal))
          : Optional.empty();
    }

    /** Whether the field is there and true. */
    public boolean is(String name) {
      return fields.get(name) instanceof Bool(boolean truth) && truth;
    }

    /** The object in a field; an empty one if there is none. */
    public Obj object(String name) {
      return fields.get(name) instanceof Obj object ? object : EMPTY;
    }

    /** The objects in an array; none if there is no array. */
    public List<Obj> objects(String name) {
      return fields.get(name) instanceof Arr array ? array.objects() : List.of();
    }

    /** The strings in an array; none if there is no array. */
    public List<String> texts(String name) {
      List<String> texts = new ArrayList<>();
      if (fields.get(name) instanceof Arr(List<Json> values)) {
        for (Json value : values) {
          if (value instanceof Str(String text)) {
            texts.add(text);
          }
        }
      }
      return texts;
    }

    /** The same with one field more, or with another value in it. */
    public Obj with(String name, String value) {
      return with(name, new Str(value));
    }

    public Obj with(String name, long value) {
      return with(name, new Num(Long.toString(value)));
    }

    public Obj with(String name, boolean value) {
      return with(name, new Bool(value));
    }

    public Obj with(String name, Json value) {
      Map<String, Json> more = new LinkedHashMap<>(fields);
      more.put(name, value);
      return new Obj(more);
    }

    /** The same with the field if there is a value for it. */
    public Obj with(String name, Optional<String> value) {
      return value.isPresent() ? with(name, value.get()) : this;
    }

    /** On one line. */
    @Override
    public String toString() {
      return JsonWriter.compact(this);
    }
  }
}
