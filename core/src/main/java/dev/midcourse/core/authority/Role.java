package dev.midcourse.core.authority;

import dev.midcourse.core.WireNames;

/** What a group is here for. */
public enum Role {
  /** Runs the house: may do everything. */
  MAIN,
  /** Gives its workers work, steers and reviews them. */
  LEAD,
  /** Looks at everything and touches nothing. */
  OBSERVER,
  /** Does the work it is given. */
  WORKER,
  /** May ask things of itself only. */
  MEMBER;

  public String wire() {
    return WireNames.name(this);
  }
}
