package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** How a steer ended. */
public enum SteerEnd {
  /** The turn that had it has ended. */
  ANSWERED,
  /** The turn it was meant for ended first; it opened the turn or run that the receipt names. */
  CARRIED,
  /** Taken back before it was in the conversation. */
  WITHDRAWN,
  /** A newer steer replaced it. */
  SUPERSEDED,
  /** Its time ran out, or its run ended, before it could be delivered. */
  EXPIRED,
  /** The agent would not take it. */
  REFUSED,
  /** The agent died between offer and evidence and left no trace of it. */
  UNKNOWN;

  public String wire() {
    return WireNames.name(this);
  }

  public static SteerEnd parse(String text) {
    return WireNames.parse(SteerEnd.class, "ended", text);
  }
}
