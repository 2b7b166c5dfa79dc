package dev.midcourse.agents.process.input;

import java.time.Duration;

/** Writes frames to a program's standard input, one at a time and in the order of the calls. */
public sealed interface ProcessInput permits FifoInput, PipeInput, NoInput {

  /** Writes the whole frame. Waits for room at most for {@code patience}. */
  InputWriteResult write(byte[] frame, Duration patience) throws InterruptedException;

  /** Returns whether a hub that died left the beginning of a frame in the program's input. */
  boolean isTorn();

  /** Closes this side of the input. The program gets no notice. */
  void close();
}
