package dev.midcourse.core.contract;

import dev.midcourse.core.WireNames;

/** The kind of work that a dispatch requests. */
public enum TaskType {
  ANALYZE,
  IMPLEMENT,
  FIX,
  REFACTOR,
  TEST,
  RELEASE,
  RESEARCH,
  CODE;

  /** Returns whether the work must change files and commit them. */
  public boolean changesCode() {
    return switch (this) {
      case IMPLEMENT, FIX, REFACTOR, RELEASE, CODE -> true;
      case ANALYZE, TEST, RESEARCH -> false;
    };
  }

  public String wire() {
    return WireNames.name(this);
  }
}
