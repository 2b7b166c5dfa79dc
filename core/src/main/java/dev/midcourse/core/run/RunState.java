package dev.midcourse.core.run;

import dev.midcourse.core.WireNames;

/** The state of a run. */
public enum RunState {
  QUEUED,
  RUNNING,
  REVIEW_REQUESTED,
  DONE,
  FAILED,
  FAILED_CONTRACT,
  FAILED_TIMEOUT,
  STOPPED;

  /** Whether the run waits for an agent or has one. */
  public boolean live() {
    return switch (this) {
      case QUEUED, RUNNING -> true;
      case REVIEW_REQUESTED, DONE, FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, STOPPED -> false;
    };
  }

  /** Whether a run with the same id may be started again. */
  public boolean retryable() {
    return switch (this) {
      case FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, STOPPED -> true;
      case QUEUED, RUNNING, REVIEW_REQUESTED, DONE -> false;
    };
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static RunState parse(String text) {
    return WireNames.parse(RunState.class, "state", text);
  }
}
