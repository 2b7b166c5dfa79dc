package dev.midcourse.proof.crash.loop;

import java.util.Locale;

/** The points at which a hub with loops ends like after SIGKILL. */
public enum LoopFaultPoint {
  /** The branch and its checkout are made; that is not stored. */
  AFTER_BRANCH_IS_MADE,
  /** A run has ended and its result is read; that is not stored. */
  AFTER_RESULT_IS_READ,
  /** In the transaction that stores the next state of a loop. */
  WHILE_STEP_IS_STORED,
  /** The next state of a loop is durable; its acts have not begun. */
  AFTER_STEP_IS_STORED,
  /** The checkout of a call is there; its run is not. */
  BEFORE_RUN_IS_QUEUED,
  /** In the transaction that queues a run with its guidance. */
  WHILE_RUN_IS_QUEUED,
  /** A run is queued; nobody has been woken. */
  AFTER_RUN_IS_QUEUED,
  /** In the transaction that stores guidance of a person. */
  WHILE_GUIDANCE_IS_STORED,
  /** Guidance is durable; the person has no answer. */
  AFTER_GUIDANCE_IS_STORED,
  /** Guidance is bound to a running call; its run does not have it. */
  BEFORE_GUIDANCE_IS_GIVEN,
  /** In the transaction in which a clean loop joins its merge queue. */
  WHILE_QUEUE_IS_STORED,
  /** The next state of a merge queue is durable; its acts have not begun. */
  AFTER_QUEUE_IS_STORED,
  /** A merge is made; that is not stored. */
  AFTER_MERGE_IS_MADE,
  /** The test of a merge has ended and is read; that is not stored. */
  AFTER_MERGE_IS_TESTED,
  /** The base has moved; the loops do not know it. */
  AFTER_BASE_IS_MOVED;

  /** Returns whether the point is in the ledger. These points differ between stores. */
  boolean isInLedger() {
    return name().startsWith("WHILE");
  }

  /** Returns the maximum count at which a hub may end here; hubs reach some points rarely. */
  int maxTimes() {
    return name().contains("STEP") || name().contains("RUN") ? 6 : 1;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static LoopFaultPoint of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
