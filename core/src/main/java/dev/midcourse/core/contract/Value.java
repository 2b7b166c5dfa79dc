package dev.midcourse.core.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What JSON can say, without a library that reads or writes it. Immutable. */
public sealed interface Value {

  record Text(String value) implements Value {}

  /** A number as it was written. */
  record Digits(String written) implements Value {}

  record Flag(boolean value) implements Value {}

  record Null() implements Value {}

  record Many(List<Value> items) implements Value {
    public Many {
      items = List.copyOf(items);
    }
  }

  /** An object; its fields in the order in which they were written. */
  record Fields(Map<String, Value> byName) implements Value {
    public Fields {
      byName = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    public Optional<Value> get(String name) {
      return Optional.ofNullable(byName.get(name));
    }

    /** The same with one field another, or one more. */
    public Fields with(String name, Value value) {
      Map<String, Value> changed = new LinkedHashMap<>(byName);
      changed.put(name, value);
      return new Fields(changed);
    }

    /** The field when it is a string. */
    public Optional<String> text(String name) {
      return get(name).filter(Text.class::isInstance).map(Text.class::cast).map(Text::value);
    }
  }

  static Value of(String text) {
    return new Text(text);
  }

  static Value of(boolean flag) {
    return new Flag(flag);
  }

  static Value of(long number) {
    return new Digits(Long.toString(number));
  }

  static Value texts(List<String> texts) {
    return new Many(new ArrayList<Value>(texts.stream().map(Text::new).toList()));
  }

  /** An object out of names and values in turn. */
  static Fields fields(Object... namesAndValues) {
    Map<String, Value> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], (Value) namesAndValues[i + 1]);
    }
    return new Fields(fields);
  }
}
