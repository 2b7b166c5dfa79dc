package dev.midcourse.core.run;

import dev.midcourse.core.WireNames;

/** Where a run is. */
public enum RunState {
  QUEUED,
  RUNNING,
  REVIEW_REQUESTED,
  DONE,
  FAILED,
  FAILED_CONTRACT,
  FAILED_TIMEOUT,
  STOPPED;

  /** Waiting for an agent or having one. */
  public boolean live() {
    return switch (this) {
      case QUEUED, RUNNING -> true;
      case REVIEW_REQUESTED, DONE, FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, STOPPED -> false;
    };
  }

  /** Its id may be used again for another try. */
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
