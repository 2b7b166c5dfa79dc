package dev.midcourse.core.agent;

import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.Optional;

/** What an agent's own words mean, in ours. A driver makes these out of its program's output. */
public sealed interface AgentEvent {

  /** The program is up: its version, what it can do, and its conversation's name if it has one. */
  record Started(String version, Capabilities can, Optional<SessionId> session)
      implements AgentEvent {}

  /** The conversation has got, or changed, its name. */
  record SessionNamed(SessionId session) implements AgentEvent {}

  /** The agent says that it holds the opening message of this turn. */
  record PromptAccepted(int turn, String evidence) implements AgentEvent {}

  /** The agent shows the opening message in the conversation. */
  record PromptInjected(int turn, String evidence) implements AgentEvent {}

  /** The agent works; {@code byItself} when no message of ours opened this turn. */
  record TurnStarted(boolean byItself) implements AgentEvent {}

  /** How the agent itself calls what it does from now on; blank when it has no name for it. */
  record Phase(String name) implements AgentEvent {}

  record Said(String text) implements AgentEvent {}

  record ToolStarted(String call, String name, String summary, Optional<Duration> declaredTimeout)
      implements AgentEvent {}

  /** Something came out of a running tool: a sign of work. */
  record ToolOutput(String call, String line) implements AgentEvent {}

  record ToolFinished(String call, boolean ok, String summary) implements AgentEvent {}

  /** The agent says that it holds the steer. */
  record SteerAccepted(SteerId steer, String evidence) implements AgentEvent {}

  /** The agent shows the steer in the conversation. */
  record SteerInjected(SteerId steer, String evidence) implements AgentEvent {}

  /** The steer was in a model request, seen at the model's door. */
  record SteerSeen(SteerId steer, String evidence) implements AgentEvent {}

  /** No turn was running that could take it: it is ours again. A race, not an error. */
  record SteerNotTaken(SteerId steer, String reason) implements AgentEvent {}

  /** The agent will not have it. */
  record SteerRefused(SteerId steer, String reason) implements AgentEvent {}

  /** The answer to a withdrawal: given back, or too late. */
  record SteerGivenBack(SteerId steer, boolean givenBack) implements AgentEvent {}

  /** What was used since the last time this was said. */
  record Used(Usage more) implements AgentEvent {}

  /** The agent wants to know or may not do something by itself. */
  record Asked(String ask, AskKind kind, String question, String detail) implements AgentEvent {}

  /** The question is no longer open at the agent's side. */
  record AskClosed(String ask, String how) implements AgentEvent {}

  enum AskKind {
    PERMISSION,
    QUESTION
  }

  /** The turn is over; {@code text} is the final answer as far as there is one. */
  record TurnEnded(TurnEnd how, String reason, String text) implements AgentEvent {}

  enum TurnEnd {
    COMPLETED,
    INTERRUPTED,
    ERROR
  }

  /** Everything written before the barrier of this name has been read. */
  record BarrierPassed(String name) implements AgentEvent {}

  /** The agent is waiting or retrying for a reason of its own; not a sign of work. */
  record Waiting(String reason) implements AgentEvent {}

  /** Something came that the protocol does not know; work goes on. */
  record Garbage(String excerpt, long bytes) implements AgentEvent {}

  /**
   * The program is gone; the code is -1 when nobody could tell.
   *
   * @param untilMended whether every further try would end the same way, until a person has done
   *     what the last words say
   */
  record Exited(int code, String lastWords, boolean untilMended) implements AgentEvent {
    /** From here on a shell's status means: not started, not found, or killed by a signal. */
    private static final int NOT_ITS_OWN = 125;

    /** Another try may end otherwise. */
    public Exited(int code, String lastWords) {
      this(code, lastWords, false);
    }

    /**
     * Whether the program itself chose to end, as one does that refuses what it was started with.
     */
    public boolean byItself() {
      return code >= 0 && code < NOT_ITS_OWN;
    }
  }

  /** Whether this shows that work is going on, for the vigil. */
  static boolean signOfWork(AgentEvent event) {
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
