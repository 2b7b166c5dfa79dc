package dev.midcourse.agents.process.attempt;

import java.io.IOException;

/** A program could not be started. None of its processes is alive, unless the message says so. */
public final class LaunchFailure extends IOException {

  private static final long serialVersionUID = 1L;

  public LaunchFailure(String message) {
    super(message);
  }

  public LaunchFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
