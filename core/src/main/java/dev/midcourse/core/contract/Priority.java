package dev.midcourse.core.contract;

/** How urgent the dispatcher calls it. */
public enum Priority {
  LOW,
  NORMAL,
  HIGH
}
