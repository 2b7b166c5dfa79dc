package dev.midcourse.core.chat.route;

/** Whether somebody writes so much, or answers us so fast, that a program is likely behind it. */
public enum SenderPace {
  NORMAL,
  /** This message is the one that reaches the limit. The sender is told. */
  LIMIT_REACHED,
  /** The limit was reached a short time ago. */
  PAUSED
}
