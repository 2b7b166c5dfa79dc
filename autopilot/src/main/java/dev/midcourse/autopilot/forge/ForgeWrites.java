package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;

/** What the adapters share when they write. */
public final class ForgeWrites {
  private ForgeWrites() {}

  /** A write, which may look first whether it was done. */
  @FunctionalInterface
  public interface Write {
    ForgeActResult perform() throws ForgeException, InterruptedException;
  }

  /** Turns a failure into a result: unknown if the forge may have got the write, else refused. */
  public static ForgeActResult perform(Write write) throws InterruptedException {
    try {
      return write.perform();
    } catch (ForgeException e) {
      return e.mayHaveArrived()
          ? new ForgeActResult.Unknown(e.error().message())
          : new ForgeActResult.Refused(e.error());
    }
  }

  public static ForgeActResult conflict(String message) {
    return new ForgeActResult.Refused(new ForgeError.Conflict(message));
  }

  public static ForgeActResult invalid(String message) {
    return new ForgeActResult.Refused(new ForgeError.Invalid(message));
  }

  public static ForgeActResult notFound(String message) {
    return new ForgeActResult.Refused(new ForgeError.NotFound(message));
  }

  /** The refusal of an act about a head that is not the head any more. */
  public static ForgeActResult moved(String expected, String head) {
    return conflict("the head is " + head + " and no longer " + expected);
  }
}
