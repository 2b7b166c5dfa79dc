package dev.midcourse.core.contract;

import dev.midcourse.core.WireNames;

/** Whether the worker begins a new session or continues an existing one. */
public enum ContextIntent {
  CONTINUE,
  FRESH;

  public String wire() {
    return WireNames.name(this);
  }
}
