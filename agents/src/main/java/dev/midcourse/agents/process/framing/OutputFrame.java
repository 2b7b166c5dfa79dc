package dev.midcourse.agents.process.framing;

/**
 * A part of a program's output that stands for itself. Everything up to its end offset is settled
 * with it: following from there repeats and skips nothing.
 */
public sealed interface OutputFrame {

  /** Where in the stream the piece and what ends it are over. */
  long endOffset();

  /** A whole line or message; bytes that are not UTF-8 show as U+FFFD. */
  record Whole(String text, long endOffset) implements OutputFrame {}

  /** One that was too long: its beginning, and how many bytes were left out after it. */
  record Cut(String prefix, long droppedBytes, long endOffset) implements OutputFrame {}

  /** A line between messages that belongs to none. */
  record Stray(String text, long endOffset) implements OutputFrame {}
}
