package dev.midcourse.core.run;

import dev.midcourse.core.WireNames;

/** Why a turn was opened. */
public enum TurnPurpose {
  /** The opening message contains the prompt of the run. */
  TASK,
  /** The agent was started again in its session and is told to go on with the task. */
  CONTINUE,
  /** The opening message consists of steers only. */
  STEERS,
  /** The completion did not hold; the worker has one turn to repair it. */
  REPAIR,
  /** The agent began the turn without an opening message of ours. */
  AGENT;

  public static TurnPurpose parse(String text) {
    return WireNames.parse(TurnPurpose.class, "purpose", text);
  }
}
