package dev.midcourse.agents.process.input;

import java.time.Duration;

/** The input of a program that can no longer be written to: its pipe died with another hub. */
public record NoInput() implements ProcessInput {

  @Override
  public InputWriteResult write(byte[] frame, Duration patience) {
    return new InputWriteResult.Gone();
  }

  @Override
  public boolean isTorn() {
    return false;
  }

  @Override
  public void close() {}
}
