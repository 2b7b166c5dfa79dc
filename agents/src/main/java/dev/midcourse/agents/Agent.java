package dev.midcourse.agents;

import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;

/**
 * A running agent. A call writes to the program and does not wait for the answer; the answer
 * reaches the {@link AgentListener} as an event. A write waits a bounded time for a program that
 * does not read its input. {@link #end} waits until the program has ended. A call to an agent that
 * has exited has no effect, and the listener gets {@code Exited}.
 */
public interface Agent {

  /** The process id of the main process, for display; 0 if there is none. */
  long pid();

  /** Opens turn {@code number} with this message. */
  WriteResult prompt(int number, String message);

  /** Writes a steer into the running turn. {@code message} is the framed text of the steer. */
  WriteResult steer(SteerId steer, String message);

  /** Asks the agent to end its turn. The program continues to run. */
  WriteResult interrupt();

  /** Asks the agent to return a steer that the agent holds and has not used. */
  WriteResult withdraw(SteerId steer);

  /** Answers a question of the agent. The answer never contains the text of a steer. */
  WriteResult answer(String ask, AskAnswer answer);

  /** Sends a request whose answer proves that the agent has read all earlier input. */
  WriteResult barrier(String name);

  /**
   * Reports that all events up to this offset are stored. No hub reads the output before this
   * offset again, so the agent may free it.
   */
  default void keptTo(long offset) {}

  /**
   * Ends the program and every process that it started: first a request, then TERM, then KILL. When
   * this method returns normally, no process of the program is alive.
   */
  StopResult end(StopTimeouts timeouts);

  /**
   * Stops reading the output and leaves the program running, so that the next hub can attach to it.
   */
  void detach();

  /** The result of a write. */
  enum WriteResult {
    /** The message is in the program's input. */
    WRITTEN,
    /** The program does not read its input; nothing was written. */
    INPUT_FULL,
    /** The program has exited; nothing was written. */
    EXITED,
    /** The agent does not support this kind of message; nothing was written. */
    UNSUPPORTED
  }

  /** The number of processes that were ended, and how many of them needed TERM or KILL. */
  record StopResult(int processes, int terminated, int killed) {}
}
