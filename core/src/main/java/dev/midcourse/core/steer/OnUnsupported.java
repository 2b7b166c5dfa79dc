package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** What the author wants when the agent cannot do the mode that was asked for. */
public enum OnUnsupported {
  /** The nearest safe mode, named in the receipt. */
  DEGRADE,
  /** Refuse; nothing is stored. */
  FAIL;

  public String wire() {
    return WireNames.name(this);
  }

  public static OnUnsupported parse(String text) {
    return WireNames.parse(OnUnsupported.class, "on_unsupported", text);
  }
}
