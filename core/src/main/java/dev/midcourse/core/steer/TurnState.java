package dev.midcourse.core.steer;

/** The state of the current turn. */
public sealed interface TurnState {
  /** The number of the current or last turn; 0 before the first. */
  int number();

  /** No turn runs. The next turn can be opened. */
  record Settled(int number) implements TurnState {}

  /** The opening message is written, and the agent has not begun to work. */
  record Opening(int number) implements TurnState {}

  /** The agent works. */
  record Running(int number) implements TurnState {}

  /** The agent was told to interrupt the turn and has not ended it yet. */
  record Interrupting(int number) implements TurnState {}
}
