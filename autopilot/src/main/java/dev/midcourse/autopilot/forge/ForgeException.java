package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ForgeError;

/** A forge did not do what it was asked. */
public final class ForgeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient ForgeError error;
  private final boolean mayHaveArrived;

  /** The forge has not carried the request out. */
  public ForgeException(ForgeError error) {
    this(error, false);
  }

  /**
   * @param mayHaveArrived whether the forge may have carried the request out nevertheless
   */
  public ForgeException(ForgeError error, boolean mayHaveArrived) {
    super(error.message());
    this.error = error;
    this.mayHaveArrived = mayHaveArrived;
  }

  public ForgeError error() {
    return error;
  }

  /** Whether the forge may have carried the request out. A write is then looked up first. */
  public boolean mayHaveArrived() {
    return mayHaveArrived;
  }
}
