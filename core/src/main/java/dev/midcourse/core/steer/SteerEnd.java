package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** How a steer ended. */
public enum SteerEnd {
  /** The turn that contained it has ended. */
  ANSWERED,
  /** Its own turn had ended; it opened the turn that the receipt names. */
  CARRIED,
  /** The author withdrew it before it was in the conversation. */
  WITHDRAWN,
  /** A newer steer replaced it. */
  SUPERSEDED,
  /** Its time ran out, or its run ended, before it could be delivered. */
  EXPIRED,
  /** The agent refused it. */
  REFUSED,
  /** The agent died while it held the steer and left no evidence. */
  UNKNOWN;

  public String wire() {
    return WireNames.name(this);
  }

  public static SteerEnd parse(String text) {
    return WireNames.parse(SteerEnd.class, "ended", text);
  }
}
