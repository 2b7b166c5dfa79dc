package dev.midcourse.agents.rpc;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The id an agent gave a request of its own: a number or a text. It goes back exactly as it came,
 * and has a word by which people answer it.
 */
public record RpcId(JsonNode json) {
  private static final String TEXT = "id-";

  static Optional<RpcId> of(JsonNode id) {
    return id.isIntegralNumber() || id.isString() ? Optional.of(new RpcId(id)) : Optional.empty();
  }

  /** A number as it is; a text with a mark before it, so that "7" and 7 stay apart. */
  public String word() {
    return json.isString() ? TEXT + json.asString() : json.toString();
  }

  public static RpcId ofWord(String word) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return new RpcId(
        word.startsWith(TEXT)
            ? nodes.stringNode(word.substring(TEXT.length()))
            : nodes.numberNode(Long.parseLong(word)));
  }
}
