package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.ProcessExit;
import java.io.IOException;

/**
 * Takes what a program writes to one file. Calls come one at a time and in order, on a virtual
 * thread of the followed file; a slow listener holds up its own file and no other.
 */
public interface OutputListener {

  /**
   * The next bytes.
   *
   * @param chunk at most 64 KiB; the listener's to keep
   * @param offsetAfter where in the file the chunk ends: following from here repeats and skips
   *     nothing
   */
  void bytes(byte[] chunk, long offsetAfter);

  /** All that there was has been delivered; comes now and then also when there was nothing new. */
  default void caughtUp() {}

  /**
   * The program has ended, and everything it wrote before has been delivered. Processes it left
   * behind may still write, so more bytes can follow.
   */
  default void exited(ProcessExit exit) {}

  /** The file cannot be followed any further; no call comes after this one. */
  default void failed(IOException failure) {}
}
