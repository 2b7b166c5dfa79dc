package dev.midcourse.core.contract;

import dev.midcourse.core.Wire;

/** Whether the worker begins a conversation or goes on with one. */
public enum ContextIntent {
  CONTINUE,
  FRESH;

  public String wire() {
    return Wire.name(this);
  }
}
