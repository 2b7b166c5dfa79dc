package dev.midcourse.agents.process.attempt;

import java.io.IOException;

/** A program could not be started; nothing of it is alive, and nothing will start later. */
public final class LaunchFailure extends IOException {

  private static final long serialVersionUID = 1L;

  public LaunchFailure(String message) {
    super(message);
  }

  public LaunchFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
