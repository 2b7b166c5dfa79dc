package dev.midcourse.ledger.json;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Wire;
import dev.midcourse.core.contract.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON from outside as a {@link Value}, strictly: one value and nothing around it, no name twice,
 * no depth that could hurt. And back.
 */
public final class JsonText {
  private static final int DEEPEST = 64;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonText() {}

  /** The value, or a refusal that says where the text stops being JSON. */
  public static Value read(String field, String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node == null || node.isMissingNode()) {
        throw Problem.invalid(field, "one JSON value", "there is nothing in it").refused();
      }
      return value(node);
    } catch (JacksonException e) {
      throw new RefusedException(
          Problem.invalid(
              field, "one JSON object and nothing around it", "it is not JSON: " + place(e)),
          e);
    }
  }

  private static String place(JacksonException e) {
    String message = e.getOriginalMessage();
    String line = message == null ? "" : message.lines().findFirst().orElse("");
    TokenStreamLocation at = e.getLocation();
    return Wire.shown(line) + (at == null ? "" : " at line " + at.getLineNr());
  }

  /** The value, or nothing when the text is not one. */
  public static Optional<Value> parse(String text) {
    try {
      return Optional.of(read("text", text));
    } catch (RefusedException notJson) {
      return Optional.empty();
    }
  }

  public static Value value(JsonNode node) {
    if (node.isString()) {
      return Value.of(node.stringValue());
    }
    if (node.isBoolean()) {
      return Value.of(node.booleanValue());
    }
    if (node.isNumber()) {
      return digits(node);
    }
    if (node.isArray()) {
      List<Value> items = new ArrayList<>();
      node.forEach(item -> items.add(value(item)));
      return new Value.Many(items);
    }
    if (node.isObject()) {
      Map<String, Value> fields = new LinkedHashMap<>();
      node.properties().forEach(entry -> fields.put(entry.getKey(), value(entry.getValue())));
      return new Value.Fields(fields);
    }
    return new Value.Null();
  }

  /** A number beyond all doubles is read as one that cannot be written again. */
  private static Value digits(JsonNode number) {
    if (!Double.isFinite(number.asDouble(Double.NaN))) {
      throw Problem.invalid("number", "within the range of a double", "a number is too large")
          .refused();
    }
    return new Value.Digits(number.asString());
  }

  public static JsonNode node(Value value) {
    return switch (value) {
      case Value.Text(String text) -> MAPPER.getNodeFactory().stringNode(text);
      case Value.Flag(boolean flag) -> MAPPER.getNodeFactory().booleanNode(flag);
      case Value.Digits(String written) -> MAPPER.readTree(written);
      case Value.Null() -> MAPPER.getNodeFactory().nullNode();
      case Value.Many(List<Value> items) -> {
        var array = MAPPER.createArrayNode();
        items.forEach(item -> array.add(node(item)));
        yield array;
      }
      case Value.Fields fields -> {
        var object = MAPPER.createObjectNode();
        fields.byName().forEach((name, field) -> object.set(name, node(field)));
        yield object;
      }
    };
  }

  /** As one line. */
  public static String write(Value value) {
    return MAPPER.writeValueAsString(node(value));
  }

  /** For people. */
  public static String pretty(Value value) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node(value)) + "\n";
  }
}
