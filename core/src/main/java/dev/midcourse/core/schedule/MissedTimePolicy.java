package dev.midcourse.core.schedule;

import dev.midcourse.core.WireNames;

/** What happens to due times that passed while no hub ran. */
public enum MissedTimePolicy {
  /** One run stands for all missed times. */
  ONCE,
  /** Missed times start nothing. */
  SKIP,
  /**
   * Each missed time starts a run, oldest first; if more than {@link DueDecision#MAX_MISSED} were
   * missed, one run stands for all.
   */
  ALL;

  public String wire() {
    return WireNames.name(this);
  }

  public static MissedTimePolicy parse(String field, String text) {
    return WireNames.parse(MissedTimePolicy.class, field, text);
  }
}
