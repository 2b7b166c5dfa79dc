package dev.midcourse.core.loop;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;

/** The reviewer of a loop. */
public sealed interface LoopReviewer {
  /** Another agent, in a checkout of its own. */
  record OfAgent(AgentName agent) implements LoopReviewer {}

  /** A person, at the command line, on the page or in a chat. */
  record OfPerson() implements LoopReviewer {}

  /** Somebody at the forge: a person, or a program such as Copilot. */
  record OfLogin(String login) implements LoopReviewer {
    private static final String LOGIN = "[A-Za-z0-9][A-Za-z0-9._/-]{0,99}(\\[bot\\])?";

    public OfLogin {
      if (!login.matches(LOGIN)) {
        throw Problem.invalid("reviewer", "@ and a login", "reviewer must be @ and a login")
            .refused();
      }
    }
  }

  /** Nobody: only CI decides, and the result says that the work was not reviewed. */
  record Nobody() implements LoopReviewer {}

  /** Reads {@code me}, {@code none}, {@code @login} or the name of an agent. */
  static LoopReviewer parse(String text) {
    if (text.strip().startsWith("@")) {
      return new OfLogin(text.strip().substring(1));
    }
    return switch (text.strip()) {
      case "me" -> new OfPerson();
      case "none" -> new Nobody();
      case "" ->
          throw Problem.invalid(
                  "reviewer", "me, none, @login or the name of an agent", "reviewer is blank")
              .refused();
      default -> new OfAgent(AgentName.of(text.strip()));
    };
  }

  /** The name in records: that of the agent, {@code @login}, {@code me} or {@code none}. */
  default String name() {
    return switch (this) {
      case OfAgent(AgentName agent) -> agent.value();
      case OfLogin(String login) -> "@" + login;
      case OfPerson _ -> "me";
      case Nobody _ -> "none";
    };
  }
}
