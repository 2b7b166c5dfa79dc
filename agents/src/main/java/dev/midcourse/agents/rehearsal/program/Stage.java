package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent;
import java.time.Duration;

/**
 * The environment of a {@link Play}: output, transcript, tools and timer. A method of this
 * interface must not call the play back before it returns.
 */
public interface Stage {

  void tell(AgentEvent event);

  /**
   * Stores a note. The note is stored when this method returns, before any event that follows from
   * it is sent.
   */
  void note(RehearsalEvent note);

  /**
   * Starts a tool. Calls of {@link Play#toolOutput} and a final call of {@link Play#toolFinished}
   * follow.
   */
  void startTool(String call, String command);

  /** Ends the tool with all its processes. A call of {@link Play#toolFinished} follows. */
  void endTool(String call);

  /** Calls {@link Play#woke} after this time. */
  void wakeAfter(Duration pause);

  /**
   * Performs the part of this misbehaviour that the play cannot perform itself, if there is one.
   */
  void misbehave(Misbehaviour how);

  /** Ends the agent at once. No event is sent after this call. */
  void exit(int code);
}
