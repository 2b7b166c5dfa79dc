package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SteerId;

/**
 * A line of a session's transcript. The notes in their order are the whole session, and replaying
 * them restores the state of the agent. {@link Began}, {@link Received} and {@link LetGo} do not
 * change the state and serve later inspection.
 */
public sealed interface RehearsalEvent {

  /** A process opened the session. Steers and prompts that an earlier process held are lost. */
  record Began() implements RehearsalEvent {}

  /** A line of the input, recorded unchanged before it is parsed. */
  record Received(String line) implements RehearsalEvent {}

  /** A steer was refused, not taken or given back. The agent does not hold it. */
  record LetGo(SteerId steer) implements RehearsalEvent {}

  /** A message opened a turn. Turn 0 is a turn that the agent opened by itself. */
  record Opened(int turn, String message) implements RehearsalEvent {}

  /** A steer was taken into the session. */
  record Took(SteerId steer, String message) implements RehearsalEvent {}

  /** A tool call began. */
  record Called(String command) implements RehearsalEvent {}

  /** The step that was due is over. */
  record StepDone(boolean ok) implements RehearsalEvent {}

  /** The turn is over, with this answer. */
  record Ended(int turn, TurnEnd how, String answer) implements RehearsalEvent {}
}
