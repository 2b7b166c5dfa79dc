package dev.midcourse.agents.process.attempt;

/** How a program ended. */
public sealed interface ProcessExit {

  /** It left a status; a death by signal n is 128 + n, as shells have it. */
  record Status(int code) implements ProcessExit {}

  /** It is gone and left no status: what was to record it was killed as well. */
  record Vanished() implements ProcessExit {}
}
