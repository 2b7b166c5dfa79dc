package dev.midcourse.agents.process.output;

import dev.midcourse.agents.process.attempt.ProcessExit;
import java.io.IOException;

/**
 * Receives the bytes that a program writes to one file. Calls come one at a time and in order, on a
 * virtual thread of the followed file. A slow listener delays only its own file.
 */
public interface OutputListener {

  /**
   * Receives the next bytes.
   *
   * @param chunk at most 64 KiB; the listener may keep the array
   * @param offsetAfter the offset of the chunk's end in the file; a reader that follows from here
   *     repeats and skips nothing
   */
  void bytes(byte[] chunk, long offsetAfter);

  /** All existing bytes have been delivered. This call also comes when there were no new bytes. */
  default void caughtUp() {}

  /**
   * The program has ended, and all bytes that it wrote before its end have been delivered.
   * Processes that it left behind may still write, so more bytes can follow.
   */
  default void exited(ProcessExit exit) {}

  /** The file cannot be followed any further. No call comes after this one. */
  default void failed(IOException failure) {}
}
