package dev.midcourse.agents.process.framing;

/**
 * One complete unit of a program's output. A reader that follows the stream from the end offset
 * repeats and skips nothing.
 */
public sealed interface OutputFrame {

  /** Returns the offset in the stream after the frame and its terminator. */
  long endOffset();

  /** A whole line or message. Bytes that are not UTF-8 appear as U+FFFD. */
  record Whole(String text, long endOffset) implements OutputFrame {}

  /**
   * A line or message that was too long: its beginning, and the number of bytes that were left out.
   */
  record Cut(String prefix, long droppedBytes, long endOffset) implements OutputFrame {}

  /** A line that belongs to no message. */
  record Stray(String text, long endOffset) implements OutputFrame {}
}
