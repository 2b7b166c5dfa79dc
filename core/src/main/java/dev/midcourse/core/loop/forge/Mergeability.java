package dev.midcourse.core.loop.forge;

/** Whether a forge would merge a change now. */
public enum Mergeability {
  /** All rules of the forge are met. */
  YES,
  /** It conflicts with its base. */
  CONFLICT,
  /** Its base has moved, and the forge demands an update first. */
  BEHIND,
  /** A rule is not met: a review, a check, a draft. */
  BLOCKED,
  /** The forge does not know yet, or does not say. */
  UNKNOWN
}
