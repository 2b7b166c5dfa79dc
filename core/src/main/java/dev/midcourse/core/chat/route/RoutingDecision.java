package dev.midcourse.core.chat.route;

import java.util.List;
import java.util.stream.Stream;

/**
 * The meaning of a message.
 *
 * @param gates the gates in the order in which the message passed or failed them
 * @param actions what happens now, in order; never empty, because dropping is an action too
 */
public record RoutingDecision(List<GateResult> gates, List<RoutingAction> actions) {
  public RoutingDecision {
    gates = List.copyOf(gates);
    actions = List.copyOf(actions);
    if (actions.isEmpty()) {
      throw new IllegalArgumentException("a decision has an action");
    }
  }

  /** This decision, followed by the one that was made after its actions were carried out. */
  public RoutingDecision then(RoutingDecision next) {
    return new RoutingDecision(
        Stream.concat(gates.stream(), next.gates.stream()).toList(),
        Stream.concat(actions.stream(), next.actions.stream()).toList());
  }
}
