package dev.midcourse.hub.http.route;

import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.hub.http.route.Route.Raw;
import dev.midcourse.hub.http.route.Route.RawQuery;
import dev.midcourse.hub.http.route.Route.SignedBody;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the body of a request into a record. Refuses missing fields, unknown fields and values of
 * another type, with field and rule.
 */
public final class RequestType<T extends Record> {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** The types whose fields are not fields of the request. */
  private static final Set<Class<?>> READ_WHOLE =
      Set.of(Raw.class, SignedBody.class, RawQuery.class);

  private final Class<T> type;
  private final Map<String, Field> fields;
  private final Constructor<T> constructor;

  private RequestType(Class<T> type, Map<String, Field> fields, Constructor<T> constructor) {
    this.type = type;
    this.fields = fields;
    this.constructor = constructor;
  }

  /**
   * One field.
   *
   * @param name its name in a request
   * @param defaultValue its value if it is missing, as text; empty if there is none
   * @param words its meaning
   */
  public record Field(
      String name,
      Class<?> type,
      boolean optional,
      String defaultValue,
      String words,
      Method accessor) {
    public boolean required() {
      return !optional && defaultValue.isEmpty();
    }
  }

  public static <T extends Record> RequestType<T> of(Class<T> type) {
    Map<String, Field> fields = new LinkedHashMap<>();
    for (RecordComponent component :
        READ_WHOLE.contains(type) ? new RecordComponent[0] : type.getRecordComponents()) {
      Field field = field(component);
      fields.put(field.name(), field);
    }
    try {
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new RequestType<>(type, fields, constructor);
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Field field(RecordComponent component) {
    boolean optional = component.getType() == Optional.class;
    FieldDoc doc = component.getAnnotation(FieldDoc.class);
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    return new Field(
        doc == null || doc.name().isEmpty() ? snake(component.getName()) : doc.name(),
        optional ? argument(component.getGenericType()) : component.getType(),
        optional,
        doc == null ? "" : doc.defaultValue(),
        doc == null ? "" : doc.value(),
        accessor);
  }

  private static Class<?> argument(Type type) {
    return (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0];
  }

  static String snake(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  public Class<T> type() {
    return type;
  }

  public List<Field> fields() {
    return List.copyOf(fields.values());
  }

  /** Reads a body; an empty one counts as an object without fields. */
  public T read(byte[] body) {
    if (type == Raw.class) {
      return type.cast(new Raw(BodyText.decode(body)));
    }
    if (takesAnyMedia()) {
      return type.cast(new SignedBody(BodyText.decode(body)));
    }
    JsonNode object = body.length == 0 ? MAPPER.createObjectNode() : object(body);
    for (String name : object.propertyNames()) {
      if (!fields.containsKey(name)) {
        throw unknown(name);
      }
    }
    return make(field -> {
      JsonNode node = object.path(field.name());
      return node.isMissingNode() || node.isNull()
          ? Optional.empty()
          : Optional.of(convert(node, field));
    });
  }

  /** Whether a body may be of another media type than JSON. */
  public boolean takesAnyMedia() {
    return type == SignedBody.class;
  }

  /** Reads the parameters of a query; each may be given once. */
  public T read(Map<String, List<String>> query) {
    if (type == RawQuery.class) {
      Map<String, String> values = new HashMap<>();
      query.forEach((name, given) -> values.put(name, given.getFirst()));
      return type.cast(new RawQuery(values));
    }
    query.forEach((name, given) -> {
      if (!fields.containsKey(name)) {
        throw unknown(name);
      }
      if (given.size() > 1) {
        throw Problem.invalid(name, "given once", name + " is given twice").refused();
      }
    });
    return make(field ->
        Optional.ofNullable(query.get(field.name()))
            .map(List::getFirst)
            .map(text -> text(text, field.name(), field.type())));
  }

  private T make(Function<Field, Optional<Object>> given) {
    Object[] values =
        fields.values().stream()
            .map(field -> {
              Optional<Object> value = given.apply(field);
              return field.optional() ? value : value.orElseGet(() -> defaultOf(field));
            })
            .toArray();
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RefusedException refused
          ? refused
          : new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Object defaultOf(Field field) {
    if (field.required()) {
      throw Problem.invalid(field.name(), "required", field.name() + " is missing").refused();
    }
    return text(field.defaultValue(), field.name(), field.type());
  }

  private RefusedException unknown(String name) {
    String names = String.join(", ", fields.keySet());
    return Problem.invalid(
            shown(name),
            fields.isEmpty() ? "no fields" : "one of: " + names,
            "unknown field " + WireNames.shown(name))
        .refused();
  }

  private static JsonNode object(byte[] body) {
    try {
      JsonNode node = MAPPER.readTree(body);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw new RefusedException(
          Problem.invalid("body", "one JSON object", "the body is not JSON: " + place(e)), e);
    }
    throw Problem.invalid("body", "one JSON object", "the body is not a JSON object").refused();
  }

  private static String place(JacksonException e) {
    String message = e.getOriginalMessage();
    String line = message == null ? "" : message.lines().findFirst().orElse("");
    TokenStreamLocation at = e.getLocation();
    return WireNames.shown(line) + (at == null ? "" : " at line " + at.getLineNr());
  }

  private static String shown(String name) {
    String quoted = WireNames.shown(name);
    return quoted.substring(1, quoted.length() - 1);
  }

  private static Object convert(JsonNode node, Field field) {
    Class<?> type = field.type();
    if (type == boolean.class || type == Boolean.class) {
      if (node.isBoolean()) {
        return node.booleanValue();
      }
      throw wrong(field, "true or false");
    }
    if (type == int.class || type == Integer.class) {
      if (node.isIntegralNumber() && node.canConvertToInt()) {
        return node.intValue();
      }
      throw wrong(field, "a whole number");
    }
    if (type == Long.class) {
      if (node.isIntegralNumber() && node.canConvertToLong()) {
        return node.longValue();
      }
      throw wrong(field, "a whole number");
    }
    if (type == Double.class) {
      if (node.isNumber() && Double.isFinite(node.doubleValue())) {
        return node.doubleValue();
      }
      throw wrong(field, "a number");
    }
    if (!node.isString()) {
      throw wrong(field, "a string");
    }
    return text(node.stringValue(), field.name(), type);
  }

  private static RefusedException wrong(Field field, String rule) {
    return Problem.invalid(field.name(), rule, field.name() + " must be " + rule).refused();
  }

  /** Parses a text as a value of this type. */
  static Object text(String text, String name, Class<?> type) {
    if (type == String.class) {
      return text;
    }
    if (type == Integer.class || type == Long.class) {
      return number(text, name, type);
    }
    if (type == Boolean.class) {
      return flag(text, name);
    }
    if (type == Duration.class) {
      return Durations.parse(name, text);
    }
    if (type.isEnum()) {
      return constant(type, name, text);
    }
    try {
      Method parser = type.getMethod("of", String.class);
      return parser.invoke(null, text);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RefusedException refused) {
        throw under(name, refused.problem());
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be read from text", e);
    }
  }

  private static Object number(String text, String name, Class<?> type) {
    try {
      return type == Integer.class ? (Object) Integer.valueOf(text) : (Object) Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new RefusedException(
          Problem.invalid(
              name,
              "a whole number",
              name + " must be a whole number; got " + WireNames.shown(text)),
          e);
    }
  }

  private static Object flag(String text, String name) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    throw Problem.invalid(name, "true or false", name + " must be true or false").refused();
  }

  /** Returns the same refusal under the name of the field in the request. */
  private static RefusedException under(String name, Problem problem) {
    Code code = problem.code();
    return Problem.of(code, name, problem.rule(), problem.message()).refused();
  }

  private static Object constant(Class<?> type, String name, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (WireNames.name((Enum<?>) constant).equals(text)) {
        return constant;
      }
    }
    String names = String.join(", ", constants(type));
    throw Problem.invalid(
            name,
            "one of: " + names,
            name + " must be one of: " + names + "; got " + WireNames.shown(text))
        .refused();
  }

  /** Returns the wire names of the constants of an enumeration. */
  public static List<String> constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> WireNames.name((Enum<?>) constant))
        .toList();
  }
}
