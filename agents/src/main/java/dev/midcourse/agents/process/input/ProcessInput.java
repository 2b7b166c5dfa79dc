package dev.midcourse.agents.process.input;

import java.time.Duration;

/** The way to a program's standard input: one writer, frames in the order of the calls. */
public sealed interface ProcessInput permits FifoInput, PipeInput, NoInput {

  /** Writes the frame whole, waiting for room at most as long as the patience lasts. */
  InputWriteResult write(byte[] frame, Duration patience) throws InterruptedException;

  /** Whether a hub that died left the beginning of a frame in the program's input. */
  boolean isTorn();

  /** Lets go of the input; the program is not told. */
  void close();
}
