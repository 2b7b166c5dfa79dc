package dev.midcourse.gateway.read;

import java.util.List;
import java.util.Optional;

/**
 * What a request says.
 *
 * @param certain whether the agent itself names the class; otherwise it is concluded
 * @param session the agent's own id of the conversation
 * @param turn the agent's own id of the turn
 * @param afterCompaction the agent says that it has just compacted the conversation
 * @param partial the body has only what is new, so a steer may be in the context and not in it
 */
public record ReadRequest(
    Wire wire,
    RequestClass kind,
    boolean certain,
    Optional<String> model,
    Optional<String> session,
    Optional<String> turn,
    boolean afterCompaction,
    boolean partial,
    List<PresentSteer> steers) {

  public ReadRequest {
    steers = List.copyOf(steers);
  }
}
