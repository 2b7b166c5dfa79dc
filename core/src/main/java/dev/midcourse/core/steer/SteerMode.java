package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** When a steer takes effect. */
public enum SteerMode {
  /** At the next boundary of the running turn. */
  STEER,
  /** At once: it interrupts the running turn and opens the next. */
  INTERRUPT,
  /** After the turn, in the same session. */
  FOLLOW_UP,
  /** With the opening message of the next turn. It opens no turn by itself. */
  NEXT,
  /** At once: it ends the run. */
  STOP;

  public String wire() {
    return WireNames.name(this);
  }

  public static SteerMode parse(String text) {
    return WireNames.parse(SteerMode.class, "mode", text);
  }
}
