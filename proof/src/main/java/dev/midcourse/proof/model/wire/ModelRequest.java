package dev.midcourse.proof.model.wire;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A request in a form that is the same for all wire formats.
 *
 * @param instructions the system prompt, apart from the conversation
 * @param conversation everything after it, in order
 * @param answerSchema the JSON schema that the answer must follow, if the agent asked for one
 */
public record ModelRequest(
    WireKind wire,
    String model,
    boolean stream,
    List<OfferedTool> tools,
    String instructions,
    List<Message> conversation,
    Optional<JsonNode> answerSchema) {

  public ModelRequest {
    tools = List.copyOf(tools);
    conversation = List.copyOf(conversation);
  }
}
