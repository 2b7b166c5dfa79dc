package dev.midcourse.agents.process;

import dev.midcourse.agents.process.attempt.ProcessExit;

/** The state of a program that another hub, which may be dead, started in an attempt folder. */
public sealed interface AttachResult {

  /**
   * The program is alive. The hub can follow its output. The hub can also write to its input,
   * unless the input was a pipe of the hub that started the program.
   */
  record Alive(HostedProcess program) implements AttachResult {}

  /**
   * The program has ended. Its output can be read. Processes that the program started may still be
   * alive.
   */
  record Over(HostedProcess program, ProcessExit exit) implements AttachResult {}

  /**
   * No program was started in this folder. The folder is fenced, so no program can start in it
   * later.
   */
  record NeverStarted() implements AttachResult {}
}
