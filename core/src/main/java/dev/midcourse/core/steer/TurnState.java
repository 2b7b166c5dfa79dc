package dev.midcourse.core.steer;

/** Where the agent is between a prompt and the moment it settles. */
public sealed interface TurnState {
  /** The number of the turn, or of the last one that ended; 0 before the first. */
  int number();

  /** The agent has settled; whatever opens the next turn may be written. */
  record Settled(int number) implements TurnState {}

  /** The opening message is written, the agent has not shown that it began. */
  record Opening(int number) implements TurnState {}

  /** The agent works. */
  record Running(int number) implements TurnState {}

  /** The agent was told to break off and has not settled yet. */
  record Interrupting(int number) implements TurnState {}
}
