package dev.midcourse.core.loop;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.AgentName;

/** The reviewer of a loop. */
public sealed interface LoopReviewer {
  /** Another agent, in a checkout of its own. */
  record OfAgent(AgentName agent) implements LoopReviewer {}

  /** A person, at the command line, on the page or in a chat. */
  record OfPerson() implements LoopReviewer {}

  /** Nobody: only CI decides, and the result says that the work was not reviewed. */
  record Nobody() implements LoopReviewer {}

  /** Reads {@code me}, {@code none} or the name of an agent. */
  static LoopReviewer parse(String text) {
    return switch (text.strip()) {
      case "me" -> new OfPerson();
      case "none" -> new Nobody();
      case "" ->
          throw Problem.invalid("reviewer", "me, none or the name of an agent", "reviewer is blank")
              .refused();
      default -> new OfAgent(AgentName.of(text.strip()));
    };
  }

  /** The name of the reviewer in records: that of the agent, {@code me} or {@code none}. */
  default String name() {
    return switch (this) {
      case OfAgent(AgentName agent) -> agent.value();
      case OfPerson _ -> "me";
      case Nobody _ -> "none";
    };
  }
}
