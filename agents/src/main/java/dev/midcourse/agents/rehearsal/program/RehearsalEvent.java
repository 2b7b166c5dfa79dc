package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.SteerId;

/**
 * A line of a session's transcript. The notes in their order are the whole conversation: replaying
 * them gives the agent as it was. Some tell only what came and went, for whoever looks later.
 */
public sealed interface RehearsalEvent {

  /** A process took the session up; what the one before it held is gone. */
  record Began() implements RehearsalEvent {}

  /** A line of the input, as it came, before anything was made of it. */
  record Received(String line) implements RehearsalEvent {}

  /** A steer was turned away or given back: nothing of it is held. */
  record LetGo(SteerId steer) implements RehearsalEvent {}

  /** A message opened a turn; turn 0 is one the agent opened by itself. */
  record Opened(int turn, String message) implements RehearsalEvent {}

  /** A steer was taken into the conversation. */
  record Took(SteerId steer, String message) implements RehearsalEvent {}

  /** A tool call began. */
  record Called(String command) implements RehearsalEvent {}

  /** The step that was due is over. */
  record StepDone(boolean ok) implements RehearsalEvent {}

  /** The turn is over, with this answer. */
  record Ended(int turn, TurnEnd how, String answer) implements RehearsalEvent {}
}
