package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.Json;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates the simplest value that a JSON schema of an agent allows. */
final class SchemaExample {
  private SchemaExample() {}

  /** Returns an object with every required property. */
  static ObjectNode object(JsonNode schema) {
    var object = Json.object();
    schema
        .path("required")
        .forEach(name ->
            object.set(name.asString(), value(schema.path("properties").path(name.asString()))));
    return object;
  }

  private static JsonNode value(JsonNode schema) {
    if (!schema.path("enum").isMissingNode()) {
      return schema.path("enum").path(0);
    }
    return switch (type(schema)) {
      case "object" -> object(schema);
      case "array" -> Json.array();
      case "boolean" -> Json.MAPPER.valueToTree(false);
      case "integer", "number" -> Json.MAPPER.valueToTree(schema.path("minimum").asInt(1));
      default -> Json.MAPPER.valueToTree("scripted");
    };
  }

  /** Returns the type in lower case (Gemini uses capitals); the first of several types. */
  static String type(JsonNode schema) {
    var type = schema.path("type");
    return (type.isArray() ? type.path(0) : type).asString("").toLowerCase(Locale.ROOT);
  }
}
