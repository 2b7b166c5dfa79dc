package dev.midcourse.agents.process;

import dev.midcourse.agents.process.attempt.ProcessExit;

/** What a hub finds in a folder that another hub, maybe dead, has started a program in. */
public sealed interface AttachResult {

  /**
   * The program is alive and can be followed, and written to unless its input died with its hub.
   */
  record Alive(HostedProcess program) implements AttachResult {}

  /** The program has ended; its output is there to be read, and what it left behind to be ended. */
  record Over(HostedProcess program, ProcessExit exit) implements AttachResult {}

  /** No program was started here, and from now on none will. */
  record NeverStarted() implements AttachResult {}
}
