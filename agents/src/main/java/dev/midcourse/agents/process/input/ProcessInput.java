package dev.midcourse.agents.process.input;

import java.time.Duration;

/** Writes frames to a program's standard input, one at a time and in the order of the calls. */
public sealed interface ProcessInput permits FifoInput, PipeInput, NoInput {

  /** Writes the whole frame. Waits for room at most for {@code timeout}. */
  InputWriteResult write(byte[] frame, Duration timeout) throws InterruptedException;

  /** Returns whether a hub that died left the beginning of a frame in the program's input. */
  boolean isTorn();

  /** Closes this side of the input. The program gets no notice. */
  void close();

  /** The result of writing a frame to a program's input. */
  sealed interface InputWriteResult {

    /**
     * The whole frame is in the program's input. If the input is a FIFO, the frame stays there when
     * the hub dies.
     */
    record Written() implements InputWriteResult {}

    /** The program does not read and its input has no room. Nothing of the frame was written. */
    record Full() implements InputWriteResult {}

    /**
     * The program is gone, or its input cannot be written to any more. Nothing of the frame was
     * written.
     */
    record Gone() implements InputWriteResult {}

    /**
     * The write of the frame has begun but is not finished. A frame that is too large for the
     * input's buffer is written in parts while the program reads, and {@code bytes} of it are
     * written. The rest follows as the program reads, before any later frame, unless the hub dies
     * first.
     */
    record Torn(int bytes) implements InputWriteResult {}
  }
}
