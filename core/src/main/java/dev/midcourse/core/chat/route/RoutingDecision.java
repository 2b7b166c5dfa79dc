package dev.midcourse.core.chat.route;

import java.util.List;

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
}
