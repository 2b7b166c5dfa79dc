package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** What happens to several steers that wait for the same boundary. */
public enum PendingPolicy {
  /** All of them, in order, at one boundary. */
  ALL,
  /** One per boundary, in order. */
  ONE,
  /** The newest; the older ones are superseded. */
  LATEST;

  public String wire() {
    return WireNames.name(this);
  }

  public static PendingPolicy parse(String text) {
    return WireNames.parse(PendingPolicy.class, "pending", text);
  }
}
