package dev.midcourse.agents.process.attempt;

/** How a program ended. */
public sealed interface ProcessExit {

  /** The program left an exit status. As in shells, death by signal n has the status 128 + n. */
  record Status(int code) implements ProcessExit {}

  /** The program is gone and left no status, because its wrapper was killed as well. */
  record Vanished() implements ProcessExit {}
}
