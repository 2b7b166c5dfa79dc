package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** What a reply to a live run means. */
public enum LiveRunPolicy {
  /** A steer, for the next boundary. */
  STEER,
  /** The agent stops what it does, then gets the message. */
  INTERRUPT,
  /** A message for the time after the turn. */
  FOLLOW_UP,
  /**
   * Messages are collected, and given together as one prompt when the agent has ended its turn. So
   * are messages that do not reply to the run: else one of them would overtake an older one.
   */
  COLLECT;

  public String wire() {
    return WireNames.name(this);
  }

  public static LiveRunPolicy parse(String text) {
    return WireNames.parse(LiveRunPolicy.class, "on_live_run", text);
  }
}
