package dev.midcourse.agents;

import dev.midcourse.core.agent.Capabilities;

/** The result of the search for an agent's program. */
public sealed interface ProgramLookup {
  /** The program was found, with its path, its version and the capabilities of that version. */
  record Found(String program, String version, Capabilities can) implements ProgramLookup {}

  /**
   * The program was found and cannot be used.
   *
   * @param why what happened when it was asked for its version
   * @param hint how to install it again
   */
  record Broken(String program, String why, String hint) implements ProgramLookup {}

  /** The program was not found; the hint says how to install it. */
  record Missing(String lookedFor, String hint) implements ProgramLookup {}
}
