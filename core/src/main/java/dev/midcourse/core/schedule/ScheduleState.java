package dev.midcourse.core.schedule;

import dev.midcourse.core.WireNames;

/** The state of a schedule. */
public enum ScheduleState {
  /** It has a next time. */
  ACTIVE,
  /** It starts nothing until it is resumed. Times that pass meanwhile are not missed. */
  PAUSED,
  /** It was cancelled, or its last time has passed. */
  ENDED;

  public String wire() {
    return WireNames.name(this);
  }

  public static ScheduleState parse(String field, String text) {
    return WireNames.parse(ScheduleState.class, field, text);
  }
}
