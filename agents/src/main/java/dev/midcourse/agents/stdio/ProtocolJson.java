package dev.midcourse.agents.stdio;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The messages of agents as JSON, written and read by the library and by nothing else. */
public final class ProtocolJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private ProtocolJson() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** The object that a message is, if it is one. */
  public static Optional<ObjectNode> object(String message) {
    try {
      return MAPPER.readTree(message) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JacksonException notJson) {
      return Optional.empty();
    }
  }

  /** A field's text; empty if it is missing or no text. */
  public static String text(JsonNode object, String field) {
    return object.path(field).asString("");
  }
}
