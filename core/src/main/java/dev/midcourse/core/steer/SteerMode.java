package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** What the author means the agent to do with a steer, and when. */
public enum SteerMode {
  /** Take this into account as you go on: the next boundary of the running turn. */
  STEER,
  /** Stop what you do now, then this: the turn is interrupted, this opens the next. */
  INTERRUPT,
  /** When you are done, this: after the turn, in the same session. */
  FOLLOW_UP,
  /** Guidance for the next call of the agent, given with it once; opens no turn by itself. */
  NEXT,
  /** End the run. */
  STOP;

  public String wire() {
    return WireNames.name(this);
  }

  public static SteerMode parse(String text) {
    return WireNames.parse(SteerMode.class, "mode", text);
  }
}
