package dev.midcourse.agents.process.input;

import dev.midcourse.agents.process.input.ProcessInput.InputWriteResult;
import java.time.Duration;

/**
 * The input of a program that cannot be written to any more, because its pipe was closed when
 * another hub died.
 */
public record NoInput() implements ProcessInput {

  @Override
  public InputWriteResult write(byte[] frame, Duration timeout) {
    return new InputWriteResult.Gone();
  }

  @Override
  public boolean isTorn() {
    return false;
  }

  @Override
  public void close() {}
}
