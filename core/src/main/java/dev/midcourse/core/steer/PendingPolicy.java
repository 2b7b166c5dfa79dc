package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** How several steers that wait for the same boundary are delivered. */
public enum PendingPolicy {
  /** All at one boundary, in order. */
  ALL,
  /** One per boundary, in order. */
  ONE,
  /** Only the newest. The older ones are superseded. */
  LATEST;

  public String wire() {
    return WireNames.name(this);
  }

  public static PendingPolicy parse(String text) {
    return WireNames.parse(PendingPolicy.class, "pending", text);
  }
}
