package dev.midcourse.gateway.read;

import dev.midcourse.core.WireNames;

/** Where a steer stands in a request. */
public enum SteerPlace {
  /** In a message of the user. */
  MESSAGE,
  /** In a note of the agent that announces a message of the user. */
  REMINDER,
  /**
   * In such a note inside the result of a tool. A tool could forge it, so it proves something only
   * together with the agent's own report.
   */
  TOOL_RESULT;

  public String wire() {
    return WireNames.name(this);
  }

  public static SteerPlace parse(String text) {
    return WireNames.parse(SteerPlace.class, "place", text);
  }
}
