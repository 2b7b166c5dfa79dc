package dev.midcourse.channels.telegram;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Checks calls and answers against the names, types and required fields of the Bot API, which are
 * in bot-api.txt. A type that the file does not list is not checked.
 */
final class BotApi {
  static final BotApi INSTANCE = new BotApi();
  private static final String ARRAY = "Array_of_";

  private record Field(List<String> types, boolean required) {}

  private record Shape(Map<String, Field> fields, List<String> oneOf) {}

  private final Map<String, Shape> methods = new LinkedHashMap<>();
  private final Map<String, Shape> types = new LinkedHashMap<>();

  private BotApi() {
    Optional<Shape> shape = Optional.empty();
    for (String line : text().split("\n", -1)) {
      String[] words = line.strip().split(" ", -1);
      if (line.startsWith("#") || line.isBlank()) {
        continue;
      }
      if (line.startsWith("  ")) {
        Field field =
            new Field(
                List.of(words[1].split("\\|", -1)),
                words.length > 2 && words[2].equals("required"));
        shape.orElseThrow().fields().put(words[0], field);
        continue;
      }
      List<String> oneOf =
          words.length > 3 && words[2].equals("one_of")
              ? List.of(words[3].split("\\|", -1))
              : List.of();
      shape = Optional.of(new Shape(new LinkedHashMap<>(), oneOf));
      (words[0].equals("method") ? methods : types).put(words[1], shape.get());
    }
  }

  private static String text() {
    try (InputStream in = Objects.requireNonNull(BotApi.class.getResourceAsStream("bot-api.txt"))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what is wrong with the call; files are the fields that came as uploads. */
  List<String> problemsOfCall(String method, Obj parameters, Set<String> files) {
    Shape shape = methods.get(method);
    if (shape == null) {
      return List.of(method + " is not a method");
    }
    List<String> problems = new ArrayList<>();
    Obj all = parameters;
    for (String file : files) {
      all = all.with(file, "attach://" + file);
    }
    checkFields(method, shape, all, problems);
    return problems;
  }

  /** Returns what is wrong with a value of this type. */
  List<String> problemsOf(String type, JsonValue value) {
    List<String> problems = new ArrayList<>();
    checkType(type, List.of(type), value, problems);
    return problems;
  }

  /** Returns form parameters, which are texts, as the JSON that the method takes. */
  Obj typed(String method, Map<String, String> form) {
    Shape shape = methods.get(method);
    Obj typed = Obj.EMPTY;
    for (Map.Entry<String, String> entry : form.entrySet()) {
      Field field = shape == null ? null : shape.fields().get(entry.getKey());
      boolean isText = field == null || field.types().contains("String");
      boolean isNumber =
          field != null
              && field.types().contains("Integer")
              && entry.getValue().matches("-?\\d{1,19}");
      typed =
          typed.with(
              entry.getKey(),
              isText && !isNumber ? new JsonValue.Str(entry.getValue()) : read(entry.getValue()));
    }
    return typed;
  }

  private static JsonValue read(String text) {
    try {
      return JsonReader.read(text);
    } catch (JsonException e) {
      return new JsonValue.Str(text);
    }
  }

  private void checkFields(String path, Shape shape, Obj value, List<String> problems) {
    shape
        .fields()
        .forEach((name, field) -> {
          if (field.required() && value.get(name).isEmpty()) {
            problems.add(path + " lacks " + name);
          }
        });
    value
        .fields()
        .forEach((name, content) -> {
          Field field = shape.fields().get(name);
          if (field == null) {
            problems.add(path + " has no " + name);
          } else {
            checkType(path + "." + name, field.types(), content, problems);
          }
        });
  }

  private void checkType(
      String path, List<String> allowed, JsonValue value, List<String> problems) {
    List<String> listed = allowed.stream().filter(this::isKnown).toList();
    if (listed.isEmpty()) {
      return;
    }
    List<String> first = new ArrayList<>();
    for (String type : listed) {
      List<String> found = new ArrayList<>();
      checkOne(path, type, value, found);
      if (found.isEmpty()) {
        return;
      }
      if (first.isEmpty()) {
        first.addAll(found);
      }
    }
    problems.addAll(first);
  }

  private boolean isKnown(String type) {
    String element = type.replace(ARRAY, "");
    return Set.of("Integer", "String", "Boolean", "InputFile", "Float").contains(element)
        || types.containsKey(element);
  }

  private void checkOne(String path, String type, JsonValue value, List<String> problems) {
    if (type.startsWith(ARRAY)) {
      if (value instanceof JsonValue.Arr(List<JsonValue> items)) {
        items.forEach(item ->
            checkType(path + "[]", List.of(type.substring(ARRAY.length())), item, problems));
      } else {
        problems.add(path + " is not an array");
      }
      return;
    }
    boolean fits =
        switch (type) {
          case "Integer" -> value instanceof JsonValue.Num(String n) && n.matches("-?\\d+");
          case "Float" -> value instanceof JsonValue.Num;
          case "Boolean" -> value instanceof JsonValue.Bool;
          case "String", "InputFile" -> value instanceof JsonValue.Str;
          default -> value instanceof Obj;
        };
    if (!fits) {
      problems.add(path + " is not of type " + type);
      return;
    }
    Optional<Shape> known = Optional.ofNullable(types.get(type));
    if (known.isPresent() && value instanceof Obj object) {
      Shape shape = known.get();
      if (shape.oneOf().isEmpty()) {
        checkFields(path, shape, object, problems);
      } else {
        checkType(path, shape.oneOf(), object, problems);
      }
    }
  }
}
