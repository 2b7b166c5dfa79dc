package dev.midcourse.core.steer;

import java.util.List;

/** One thing the supervisor does about the open steers of its run. */
public sealed interface Move {
  /** Write it to the agent now, into the running turn. */
  record Offer(Steer steer) implements Move {}

  /** Open the next turn with these, in this order; guidance goes before everything else. */
  record OpenTurn(List<Steer> guidance, List<Steer> steers) implements Move {}

  /** Break the running turn off; the steer stays pending and opens the next. */
  record Interrupt(Steer cause) implements Move {}

  /** The newer one takes its place. */
  record Supersede(Steer older, Steer newer) implements Move {}

  /** Ask the agent to give it back, because a newer one is to take its place. */
  record TakeBack(Steer older, Steer newer) implements Move {}

  /** Its time, or the turn it was meant for, is over. */
  record Expire(Steer steer, String reason) implements Move {}
}
