package dev.midcourse.core.loop.forge;

/** What a forge can do. A loop does without the others, and says so. */
public enum ForgeFeature {
  /** A thread has an id of its own, and not one that Midcourse makes. */
  NATIVE_THREADS,
  /** A comment can be a reply in a thread. */
  REPLY,
  /** A thread can be resolved. */
  RESOLVE,
  /** A change can be a draft. */
  DRAFT,
  /** CI reports checks by name. */
  CHECKS,
  /** Checks have annotations with a path and a line. */
  ANNOTATIONS,
  /** Failed checks can be run again. */
  RERUN,
  /** The forge can merge the base into the branch of a change. */
  UPDATE_BRANCH,
  /** The forge can merge by itself when all rules are met. */
  AUTO_MERGE,
  /** The forge has a merge queue. */
  QUEUE,
  /** The forge can tell Midcourse about events. */
  HOOKS
}
