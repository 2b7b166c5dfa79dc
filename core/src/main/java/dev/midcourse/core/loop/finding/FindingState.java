package dev.midcourse.core.loop.finding;

import dev.midcourse.core.WireNames;

/** What became of a finding so far. Only a later look or a person confirms that it is gone. */
public enum FindingState {
  /** Nobody has answered it yet. */
  OPEN,
  /** The fixer says that it is fixed. */
  FIXED,
  /** The fixer says that it is wrong, with a reason. */
  DISPUTED,
  /** The fixer says that it belongs to other work, with a reason. */
  DEFERRED,
  /** The fixer has a question about it. */
  UNCLEAR,
  /** A later review of the code did not find it again. */
  CONFIRMED,
  /** A person took it out, with a reason. */
  DROPPED;

  /** Whether nothing is left to do about it. */
  public boolean isSettled() {
    return this == CONFIRMED || this == DROPPED;
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static FindingState parse(String text) {
    return WireNames.parse(FindingState.class, "state", text);
  }
}
