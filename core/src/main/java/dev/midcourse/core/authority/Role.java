package dev.midcourse.core.authority;

import dev.midcourse.core.WireNames;

/** The role of a group, which decides its rights. */
public enum Role {
  /** Operates the hub and may do everything. */
  MAIN,
  /** Dispatches runs to its workers, steers and reviews them. */
  LEAD,
  /** Sees everything and changes nothing. */
  OBSERVER,
  /** Executes the runs that it is given. Sees only its own runs. */
  WORKER,
  /** Directs only the worker of its own name. */
  MEMBER;

  public String wire() {
    return WireNames.name(this);
  }
}
