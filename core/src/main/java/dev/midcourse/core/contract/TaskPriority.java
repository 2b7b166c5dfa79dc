package dev.midcourse.core.contract;

/** The urgency of a dispatch. */
public enum TaskPriority {
  LOW,
  NORMAL,
  HIGH
}
