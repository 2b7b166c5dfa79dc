package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;

/** A hosted program that can be talked to. */
public interface HostedAgent extends Agent {

  /** Says the first words, to a program that has heard none. */
  void greet();

  /** Begins to hear it, from the place up to which it has been heard. */
  void listen();
}
