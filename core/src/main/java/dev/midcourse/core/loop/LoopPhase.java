package dev.midcourse.core.loop;

import dev.midcourse.core.WireNames;

/** What a loop does, or waits for. */
public enum LoopPhase {
  /** Its branch and its checkout are made. */
  PREPARE,
  /** An agent does the task. */
  IMPLEMENT,
  /** With a forge: CI runs here, before anything is pushed. */
  VERIFY,
  /** With a forge: the branch is pushed, and its change is opened. */
  PUBLISH,
  /** With a forge: what was found there is answered, and the next review is asked for. */
  ANSWER,
  /** A reviewer and CI look at the newest commit, at the same time. */
  CHECK,
  /** An agent answers the findings. */
  FIX,
  /** With a forge: the base has moved and is merged into the branch. */
  SYNC,
  /** The clean branch is merged into its base. */
  LAND,
  /** It waits for a person, with a question. */
  PARKED,
  DONE,
  STOPPED;

  /** Whether nothing more happens by itself. */
  public boolean hasEnded() {
    return this == DONE || this == STOPPED;
  }

  /** Whether an agent changes the code in this phase. */
  public boolean isWork() {
    return this == IMPLEMENT || this == FIX;
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static LoopPhase parse(String text) {
    return WireNames.parse(LoopPhase.class, "phase", text);
  }
}
