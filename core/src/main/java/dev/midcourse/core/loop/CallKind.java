package dev.midcourse.core.loop;

import dev.midcourse.core.WireNames;

/** The kind of work that a run does for a loop. */
public enum CallKind {
  IMPLEMENT,
  FIX,
  /** The agent of the call before did not keep to its contract and is told so, once. */
  REPAIR,
  REVIEW,
  CI;

  /** Whether the run changes the code of the loop. */
  public boolean isWork() {
    return this == IMPLEMENT || this == FIX || this == REPAIR;
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static CallKind parse(String text) {
    return WireNames.parse(CallKind.class, "kind", text);
  }
}
