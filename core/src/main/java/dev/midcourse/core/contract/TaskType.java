package dev.midcourse.core.contract;

import dev.midcourse.core.WireNames;

/** What kind of work is asked for. */
public enum TaskType {
  ANALYZE,
  IMPLEMENT,
  FIX,
  REFACTOR,
  TEST,
  RELEASE,
  RESEARCH,
  CODE;

  /** Whether the work is only done when files have changed and a commit has them. */
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
