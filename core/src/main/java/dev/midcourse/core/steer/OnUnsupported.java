package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** What happens to a steer whose mode the agent does not support. */
public enum OnUnsupported {
  /** The steer is delivered in the nearest safe mode, and the receipt names that mode. */
  DEGRADE,
  /** The steer is refused and not stored. */
  FAIL;

  public String wire() {
    return WireNames.name(this);
  }

  public static OnUnsupported parse(String text) {
    return WireNames.parse(OnUnsupported.class, "on_unsupported", text);
  }
}
