package dev.midcourse.core.steer;

import java.util.List;

/** One thing the supervisor does about the open steers of its run. */
public sealed interface SteerAction {
  /** Write it to the agent now, into the running turn. */
  record Offer(Steer steer) implements SteerAction {}

  /** Open the next turn with these, in this order; guidance goes before everything else. */
  record OpenTurn(List<Steer> guidance, List<Steer> steers) implements SteerAction {}

  /** Break the running turn off; the steer stays pending and opens the next. */
  record Interrupt(Steer cause) implements SteerAction {}

  /** The newer one takes its place. */
  record Supersede(Steer older, Steer newer) implements SteerAction {}

  /** Ask the agent to give it back, because a newer one is to take its place. */
  record TakeBack(Steer older, Steer newer) implements SteerAction {}

  /** Its time, or the turn it was meant for, is over. */
  record Expire(Steer steer, String reason) implements SteerAction {}
}
