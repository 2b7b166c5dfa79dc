package dev.midcourse.agents.rpc;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The id that an agent gave to its own request: a number or a text. The answer repeats it
 * unchanged.
 */
public record RpcId(JsonNode json) {
  private static final String TEXT = "id-";

  public static Optional<RpcId> of(JsonNode id) {
    return id.isIntegralNumber() || id.isString() ? Optional.of(new RpcId(id)) : Optional.empty();
  }

  /**
   * Returns the name under which people answer the request. Every process counts its requests from
   * the same number, so the attempt is part of the name. Otherwise a late answer could allow a
   * request of a later process.
   */
  public String ask(int attempt) {
    return attempt + "." + (json.isString() ? TEXT + json.asString() : json);
  }

  /** Returns the id in a name from {@link #ask}. */
  public static RpcId ofAsk(String ask) {
    String word = ask.substring(ask.indexOf('.') + 1);
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return new RpcId(
        word.startsWith(TEXT)
            ? nodes.stringNode(word.substring(TEXT.length()))
            : nodes.numberNode(Long.parseLong(word)));
  }
}
