package dev.midcourse.agents.process.framing;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into frames. The result does not depend on the chunks in which the bytes
 * arrive. Not thread-safe.
 */
public sealed interface FrameDecoder permits LineDecoder, ContentLengthDecoder {

  /** The largest size of a frame in bytes. A longer frame is cut. */
  int MAX_LENGTH = 8 * 1024 * 1024;

  /** Takes the next bytes and passes on every frame that they complete. */
  void feed(byte[] chunk, Consumer<OutputFrame> pieces);

  /** Returns the last, unfinished frame at the end of the stream. */
  Optional<OutputFrame> rest();

  /**
   * One complete unit of a program's output. A reader that follows the stream from the end offset
   * repeats and skips nothing.
   */
  sealed interface OutputFrame {

    /** Returns the offset in the stream after the frame and its terminator. */
    long endOffset();

    /** A whole line or message. Bytes that are not UTF-8 appear as U+FFFD. */
    record Whole(String text, long endOffset) implements OutputFrame {}

    /**
     * A line or message that was too long: its beginning, and the number of bytes that were left
     * out.
     */
    record Cut(String prefix, long droppedBytes, long endOffset) implements OutputFrame {}

    /** A line that belongs to no message. */
    record Stray(String text, long endOffset) implements OutputFrame {}
  }
}
