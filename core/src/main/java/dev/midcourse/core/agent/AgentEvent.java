package dev.midcourse.core.agent;

import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.Optional;

/**
 * An event of an agent in the terms of the engine. A driver creates these events from the output of
 * its program.
 */
public sealed interface AgentEvent {

  /**
   * The program has started: its version, its capabilities, and the id of its session if it has
   * one.
   */
  record Started(String version, Capabilities can, Optional<SessionId> session)
      implements AgentEvent {}

  /** The session got its id, or the id has changed. */
  record SessionNamed(SessionId session) implements AgentEvent {}

  /** The agent reports that it holds the opening message of this turn. */
  record PromptAccepted(int turn, String evidence) implements AgentEvent {}

  /** The agent shows the opening message in the conversation. */
  record PromptInjected(int turn, String evidence) implements AgentEvent {}

  /** A turn has started. {@code byItself} is true when no message from the hub opened this turn. */
  record TurnStarted(boolean byItself) implements AgentEvent {}

  /** The agent's own name for its current activity; blank when the agent has no name for it. */
  record Phase(String name) implements AgentEvent {}

  record Said(String text) implements AgentEvent {}

  record ToolStarted(String call, String name, String summary, Optional<Duration> declaredTimeout)
      implements AgentEvent {}

  /** A running tool wrote output, which is a sign of work. */
  record ToolOutput(String call, String line) implements AgentEvent {}

  record ToolFinished(String call, boolean ok, String summary) implements AgentEvent {}

  /** The agent reports that it holds the steer. */
  record SteerAccepted(SteerId steer, String evidence) implements AgentEvent {}

  /** The agent shows the steer in the conversation. */
  record SteerInjected(SteerId steer, String evidence) implements AgentEvent {}

  /** The steer was in a request to the model. */
  record SteerSeen(SteerId steer, String evidence) implements AgentEvent {}

  /**
   * No turn was running that could take the steer, so the hub holds it again. This is a race and
   * not an error.
   */
  record SteerNotTaken(SteerId steer, String reason) implements AgentEvent {}

  /** The agent refuses the steer. */
  record SteerRefused(SteerId steer, String reason) implements AgentEvent {}

  /** The answer to a withdrawal: the steer was given back, or the withdrawal was too late. */
  record SteerGivenBack(SteerId steer, boolean givenBack) implements AgentEvent {}

  /** The usage since the last event of this type. */
  record Used(Usage more) implements AgentEvent {}

  /** The agent asks a question, or asks for permission to act. */
  record Asked(String ask, AskKind kind, String question, String detail) implements AgentEvent {}

  /** The question is no longer open on the agent's side. */
  record AskClosed(String ask, String how) implements AgentEvent {}

  enum AskKind {
    PERMISSION,
    QUESTION
  }

  /** The turn has ended. {@code text} is the final answer, if there is one. */
  record TurnEnded(TurnEnd how, String reason, String text) implements AgentEvent {}

  enum TurnEnd {
    COMPLETED,
    INTERRUPTED,
    ERROR
  }

  /** Everything written before the barrier of this name has been read. */
  record BarrierPassed(String name) implements AgentEvent {}

  /** The agent is waiting or retrying for its own reason. This is not a sign of work. */
  record Waiting(String reason) implements AgentEvent {}

  /** The output had a message that the protocol does not know. The agent continues. */
  record Garbage(String excerpt, long bytes) implements AgentEvent {}

  /**
   * The program has exited. The code is -1 when the exit status is unknown.
   *
   * @param permanent whether every further attempt would end in the same way until a person has
   *     done what the last output says
   */
  record Exited(int code, String lastOutput, boolean permanent) implements AgentEvent {
    /** From this value on, a shell status means: not started, not found, or killed by a signal. */
    private static final int FIRST_SHELL_STATUS = 125;

    /** Creates an exit after which another attempt may succeed. */
    public Exited(int code, String lastOutput) {
      this(code, lastOutput, false);
    }

    /**
     * Returns whether the program itself chose to exit, for example because it refused its
     * arguments.
     */
    public boolean byItself() {
      return code >= 0 && code < FIRST_SHELL_STATUS;
    }
  }

  /**
   * Returns whether the event shows that the agent is working. The watch for stalled runs uses it.
   */
  static boolean isActivity(AgentEvent event) {
    return switch (event) {
      case Started _,
          PromptInjected _,
          TurnStarted _,
          Said _,
          ToolStarted _,
          ToolOutput _,
          ToolFinished _,
          SteerInjected _,
          SteerSeen _,
          Asked _,
          Used _,
          TurnEnded _ ->
          true;
      case SessionNamed _,
          PromptAccepted _,
          Phase _,
          SteerAccepted _,
          SteerNotTaken _,
          SteerRefused _,
          SteerGivenBack _,
          AskClosed _,
          BarrierPassed _,
          Waiting _,
          Garbage _,
          Exited _ ->
          false;
    };
  }
}
