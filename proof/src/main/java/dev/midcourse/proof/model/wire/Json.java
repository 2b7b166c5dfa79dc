package dev.midcourse.proof.model.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON functions of all wire formats: building objects, and reading text from content. */
public final class Json {
  public static final JsonMapper MAPPER = new JsonMapper();

  private Json() {}

  /**
   * Returns an object of name, value, name, value …; a value is a node or a type that Jackson can
   * convert.
   */
  public static ObjectNode object(Object... namesAndValues) {
    var object = MAPPER.createObjectNode();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.set((String) namesAndValues[i], node(namesAndValues[i + 1]));
    }
    return object;
  }

  public static ArrayNode array(Object... values) {
    var array = MAPPER.createArrayNode();
    for (var value : values) {
      array.add(node(value));
    }
    return array;
  }

  private static JsonNode node(Object value) {
    return value instanceof JsonNode node ? node : MAPPER.valueToTree(value);
  }

  /**
   * Returns the text of content that is either a string or a list of blocks with a {@code text}.
   */
  static String text(JsonNode content) {
    if (content.isString()) {
      return content.asString();
    }
    if (content.isArray()) {
      return content
          .valueStream()
          .map(block -> block.isString() ? block.asString() : block.path("text").asString(""))
          .collect(Collectors.joining("\n"));
    }
    return content.isMissingNode() || content.isNull() ? "" : content.toString();
  }

  /** Returns the node; empty if the document does not have it. */
  static Optional<JsonNode> optional(JsonNode node) {
    return node.isMissingNode() ? Optional.empty() : Optional.of(node);
  }

  /** Returns a list that the visitor fills for every element. */
  static <T> List<T> each(JsonNode array, BiConsumer<JsonNode, List<T>> visitor) {
    var list = new ArrayList<T>();
    array.forEach(element -> visitor.accept(element, list));
    return list;
  }
}
