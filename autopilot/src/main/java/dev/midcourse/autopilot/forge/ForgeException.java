package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ForgeError;

/** A forge could not be read. */
public final class ForgeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient ForgeError error;

  public ForgeException(ForgeError error) {
    super(error.message());
    this.error = error;
  }

  public ForgeError error() {
    return error;
  }
}
