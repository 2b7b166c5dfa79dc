package dev.midcourse.core.steer;

import java.util.List;

/** One action of a supervisor on the open steers of its run. */
public sealed interface SteerAction {
  /** Write the steer to the agent now, into the running turn. */
  record Offer(Steer steer) implements SteerAction {}

  /** Open the next turn with these steers, in this order. Guidance comes first. */
  record OpenTurn(List<Steer> guidance, List<Steer> steers) implements SteerAction {}

  /** Interrupt the running turn. The steer stays pending and opens the next turn. */
  record Interrupt(Steer cause) implements SteerAction {}

  /** End the older steer; the newer one replaces it. */
  record Supersede(Steer older, Steer newer) implements SteerAction {}

  /** Ask the agent to give the older steer back, because the newer one replaces it. */
  record TakeBack(Steer older, Steer newer) implements SteerAction {}

  /** End the steer: its time to live or its expected turn is over. */
  record Expire(Steer steer, String reason) implements SteerAction {}
}
