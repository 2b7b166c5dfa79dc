package dev.midcourse.agents.process.input;

/** What became of a frame that was written to a program's input. */
public sealed interface InputWriteResult {

  /** The whole frame is in the program's input, and stays there if we die now. */
  record Written() implements InputWriteResult {}

  /** The program does not read and its input has no room: nothing of the frame was written. */
  record Full() implements InputWriteResult {}

  /** The program is gone, or nobody can write to it any more: nothing of the frame was written. */
  record Gone() implements InputWriteResult {}

  /**
   * A frame too large for the input's buffer is written in parts as the program reads. It had read
   * only so far that {@code bytes} are written; the rest follows as it reads on, before any later
   * frame, unless we die first.
   */
  record Torn(int bytes) implements InputWriteResult {}
}
