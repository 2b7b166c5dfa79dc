package dev.midcourse.autopilot.forge;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects why parts of a snapshot could not be read. */
public final class SnapshotGaps {
  private final List<String> reasons = new ArrayList<>();

  public void add(String reason) {
    reasons.add(reason);
  }

  public Optional<String> shown() {
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }
}
