package dev.midcourse.hub.api.openapi;

import static dev.midcourse.hub.api.openapi.OpenApi.map;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.hub.http.route.RequestType;
import dev.midcourse.hub.http.route.Route.Raw;
import dev.midcourse.ledger.json.JsonCodec;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON Schemas of our types, as {@link JsonCodec} writes them and {@link RequestType} reads them.
 */
final class Schemas {
  private static final String DURATION = "[0-9]{1,9}(ms|s|m|h|d)";

  private final Map<String, Object> named = new LinkedHashMap<>();

  /** The schemas of all records so far, by their name. */
  Map<String, Object> named() {
    return named;
  }

  /** Returns the schema of a request of this type. */
  Map<String, Object> asked(Class<?> type) {
    return type == Duration.class ? map("type", "string", "pattern", DURATION) : of(type);
  }

  /** Returns the schema of a response of this type. */
  Map<String, Object> of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type argument = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      Class<?> raw = (Class<?>) generic.getRawType();
      return raw == Map.class
          ? map("type", "object", "additionalProperties", of(argument))
          : raw == List.class ? map("type", "array", "items", of(argument)) : of(argument);
    }
    return plain((Class<?>) type);
  }

  private Map<String, Object> plain(Class<?> type) {
    if (type == Instant.class) {
      return map("type", "string", "format", "date-time");
    }
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return map("type", "integer");
    }
    if (type == double.class || type == Double.class) {
      return map("type", "number");
    }
    if (type == boolean.class || type == Boolean.class) {
      return map("type", "boolean");
    }
    if (type.isEnum()) {
      return map("type", "string", "enum", RequestType.constants(type));
    }
    if (type == Usage.class) {
      return spent();
    }
    if (Map.class.isAssignableFrom(type)) {
      return map("type", "object");
    }
    return type.isRecord() && !isText(type) ? reference(type) : map("type", "string");
  }

  /** A record of one text, such as an id, is written as that text. */
  private static boolean isText(Class<?> type) {
    RecordComponent[] parts = type.getRecordComponents();
    return parts.length == 1
        && parts[0].getType() == String.class
        && parts[0].getName().equals("value");
  }

  private Map<String, Object> reference(Class<?> type) {
    String name = type.getSimpleName();
    if (!named.containsKey(name)) {
      named.put(name, Map.of());
      named.put(name, type == Capabilities.class ? capabilities() : object(type));
    }
    return map("$ref", "#/components/schemas/" + name);
  }

  private Map<String, Object> object(Class<?> type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent part : type.getRecordComponents()) {
      String name = JsonCodec.nameOf(part.getName());
      properties.put(name, of(part.getGenericType()));
      if (part.getType() != Optional.class) {
        required.add(name);
      }
    }
    return map("type", "object", "properties", properties, "required", required);
  }

  /** One boolean for each capability. */
  private static Map<String, Object> capabilities() {
    List<String> names = Arrays.stream(Capability.values()).map(WireNames::name).toList();
    Map<String, Object> properties = new LinkedHashMap<>();
    names.forEach(name -> properties.put(name, map("type", "boolean")));
    return map("type", "object", "properties", properties, "required", names);
  }

  private static Map<String, Object> spent() {
    return map(
        "type",
        "object",
        "properties",
        map(
            "input_tokens", map("type", "integer"),
            "output_tokens", map("type", "integer"),
            "cost_usd", map("type", "number")));
  }

  /**
   * Returns a request as a client would write it: names and durations as {@link RequestType} reads
   * them.
   */
  static JsonNode asAsked(Object form) {
    if (form instanceof Raw(String text)) {
      return JsonCodec.mapper().readTree(text);
    }
    ObjectNode asked = JsonCodec.mapper().createObjectNode();
    for (RequestType.Field field :
        RequestType.of(form.getClass().asSubclass(Record.class)).fields()) {
      value(form, field).ifPresent(value -> asked.set(field.name(), asked(value)));
    }
    return asked;
  }

  private static Optional<Object> value(Object form, RequestType.Field field) {
    try {
      Object value = field.accessor().invoke(form);
      return value instanceof Optional<?> maybe
          ? maybe.map(present -> (Object) present)
          : Optional.ofNullable(value);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static JsonNode asked(Object value) {
    return JsonCodec.mapper()
        .valueToTree(
            switch (value) {
              case Duration duration -> describe(duration);
              case Enum<?> constant -> WireNames.name(constant);
              default -> value;
            });
  }

  private static String describe(Duration duration) {
    return duration.toDays() > 0 && duration.toSecondsPart() == 0 && duration.toHoursPart() == 0
        ? duration.toDays() + "d"
        : duration.toSeconds() % 60 == 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
  }
}
