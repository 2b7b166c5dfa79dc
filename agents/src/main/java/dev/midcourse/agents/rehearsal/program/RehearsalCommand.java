package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.id.SteerId;

/** A command to the rehearsal agent. */
public sealed interface RehearsalCommand {

  /** Opens a turn. For a mindful agent, a repeated turn number opens no second turn. */
  record Prompt(int turn, String message) implements RehearsalCommand {}

  /**
   * Adds a message at the next boundary. For a mindful agent, a repeated id has no second effect.
   */
  record Steer(SteerId id, String message) implements RehearsalCommand {}

  /** Interrupts the turn. Steers that the agent holds are kept and open the next turn. */
  record Interrupt() implements RehearsalCommand {}

  record Withdraw(SteerId id) implements RehearsalCommand {}

  /** Answers a question. The command has no effect if the question is not open any more. */
  record Answer(String ask, boolean allow, String why) implements RehearsalCommand {}

  record Barrier(String name) implements RehearsalCommand {}

  /** Asks the agent to exit. */
  record Quit() implements RehearsalCommand {}
}
