package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ForgeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects why parts of a snapshot could not be read. */
public final class SnapshotGaps {
  private final List<String> reasons = new ArrayList<>();

  public void add(String reason) {
    reasons.add(reason);
  }

  /**
   * Adds a part that could not be read. Rejected credentials and a limit end the reading instead:
   * every other part would fail too.
   */
  public void add(ForgeException e) throws ForgeException {
    boolean endsReading =
        e.error() instanceof ForgeError.Unauthorized || e.error() instanceof ForgeError.Limited;
    if (endsReading) {
      throw e;
    }
    reasons.add(e.error().message());
  }

  public Optional<String> shown() {
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }
}
