package dev.midcourse.agents.stdio;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the messages of agents as JSON. */
public final class ProtocolJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private ProtocolJson() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Returns the message as a JSON object; empty if the message is not a JSON object. */
  public static Optional<ObjectNode> object(String message) {
    try {
      return MAPPER.readTree(message) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JacksonException notJson) {
      return Optional.empty();
    }
  }

  /** Returns the text of a field; empty if the field is missing or is not text. */
  public static String text(JsonNode object, String field) {
    return object.path(field).asString("");
  }
}
