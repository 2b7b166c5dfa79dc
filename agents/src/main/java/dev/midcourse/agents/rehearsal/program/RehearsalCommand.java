package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.id.SteerId;

/** What the rehearsal agent can be told. */
public sealed interface RehearsalCommand {

  /** Opens a turn; of a mindful agent, a number that was used before opens no second one. */
  record Prompt(int turn, String message) implements RehearsalCommand {}

  /**
   * To be taken in at the next boundary; with a mindful agent, an id that was used before has no
   * second effect.
   */
  record Steer(SteerId id, String message) implements RehearsalCommand {}

  /** Breaks the turn off; what the agent holds is kept and opens the next turn. */
  record Interrupt() implements RehearsalCommand {}

  record Withdraw(SteerId id) implements RehearsalCommand {}

  /** An answer to a question that is not open any more has no effect. */
  record Answer(String ask, boolean allow, String why) implements RehearsalCommand {}

  record Barrier(String name) implements RehearsalCommand {}

  /** The polite request to leave. */
  record Quit() implements RehearsalCommand {}
}
