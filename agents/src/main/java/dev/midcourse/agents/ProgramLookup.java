package dev.midcourse.agents;

import dev.midcourse.core.agent.Capabilities;

/** Whether an agent's program is here, and if so which. */
public sealed interface ProgramLookup {
  /** It is here: where, which version, and what that version can do. */
  record Found(String program, String version, Capabilities can) implements ProgramLookup {}

  /** It is not here; the hint says how to get it. */
  record Missing(String lookedFor, String hint) implements ProgramLookup {}
}
