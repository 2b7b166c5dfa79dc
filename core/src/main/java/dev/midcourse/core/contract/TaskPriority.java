package dev.midcourse.core.contract;

/** How urgent the dispatcher calls it. */
public enum TaskPriority {
  LOW,
  NORMAL,
  HIGH
}
