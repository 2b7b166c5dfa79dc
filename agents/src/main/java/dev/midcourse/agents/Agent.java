package dev.midcourse.agents;

import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.id.SteerId;

/**
 * A running agent. Every call returns at once or soon: it writes to the program and does not wait
 * for an answer, which comes through the ear. A call to an agent that is gone has no effect; the
 * ear hears of its exit.
 */
public interface Agent {

  /** The main process, for people; 0 when there is none. */
  long pid();

  /** Opens turn {@code number} with this message. */
  WriteResult prompt(int number, String message);

  /** Writes a steer into the running turn; {@code message} is its text in its frame. */
  WriteResult steer(SteerId steer, String message);

  /** Tells the agent to break its turn off and live on. */
  WriteResult interrupt();

  /** Asks for a steer back that the agent holds. */
  WriteResult withdraw(SteerId steer);

  /** Answers what the agent asked. Never called with the text of a steer. */
  WriteResult answer(String ask, QuestionAnswer answer);

  /** Asks something whose answer proves that everything written before was read. */
  WriteResult barrier(String name);

  /**
   * What was heard up to this offset is kept, and no hub will ask for it again: where an agent's
   * output is held only for that, it need not be held any longer.
   */
  default void keptTo(long offset) {}

  /**
   * Ends the program and everything it started, wherever that has put itself: asks, then TERM, then
   * KILL. When this returns normally nothing of it is alive.
   */
  StopResult end(StopTimeouts timeouts);

  /** Stops listening and leaves the program running, for the next hub to find. */
  void detach();

  /** What became of a write. */
  enum WriteResult {
    /** It is in the program's input. */
    WRITTEN,
    /** The program does not read its input; nothing was written. */
    INPUT_FULL,
    /** The program is gone; nothing was written. */
    EXITED,
    /** This agent has no such thing; nothing was written. */
    UNSUPPORTED
  }

  /** An answer to what an agent asked. */
  sealed interface QuestionAnswer {
    record Allow() implements QuestionAnswer {}

    record Deny(String why) implements QuestionAnswer {}

    record Words(String text) implements QuestionAnswer {}
  }

  /** What it took to end it. */
  record StopResult(int processes, int terminated, int killed) {}
}
