package dev.midcourse.agents.rpc;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The id an agent gave a request of its own: a number or a text. It goes back as it came. */
public record RpcId(JsonNode json) {
  private static final String TEXT = "id-";

  public static Optional<RpcId> of(JsonNode id) {
    return id.isIntegralNumber() || id.isString() ? Optional.of(new RpcId(id)) : Optional.empty();
  }

  /**
   * The name under which people answer the request. Every process counts from the same number, so
   * the attempt is part of it: a late answer must not allow what a later process asks.
   */
  public String ask(int attempt) {
    return attempt + "." + (json.isString() ? TEXT + json.asString() : json);
  }

  /** The id behind such a name. */
  public static RpcId ofAsk(String ask) {
    String word = ask.substring(ask.indexOf('.') + 1);
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return new RpcId(
        word.startsWith(TEXT)
            ? nodes.stringNode(word.substring(TEXT.length()))
            : nodes.numberNode(Long.parseLong(word)));
  }
}
