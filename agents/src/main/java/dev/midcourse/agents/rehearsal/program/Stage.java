package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent;
import java.time.Duration;

/**
 * What a {@link Play} needs of the world: a voice, a transcript, tools, a clock. None of these
 * calls may call the play back before it returned.
 */
public interface Stage {

  void tell(AgentEvent event);

  /** Keeps a note; it is kept when this returns, before anything that follows from it is told. */
  void note(RehearsalEvent note);

  /** Starts a tool; {@link Play#toolOutput} and at last {@link Play#toolFinished} follow. */
  void startTool(String call, String command);

  /** Ends the tool with all its processes; {@link Play#toolFinished} follows. */
  void endTool(String call);

  /** {@link Play#woke} follows after this time. */
  void wakeAfter(Duration pause);

  /** Does the part of this mischief that a play cannot do itself, if there is one. */
  void misbehave(Misbehaviour how);

  /** Ends the agent at once; nothing is told after this. */
  void exit(int code);
}
