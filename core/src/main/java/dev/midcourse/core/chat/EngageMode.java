package dev.midcourse.core.chat;

import dev.midcourse.core.WireNames;

/** The rule by which a worker engages with a message. */
public enum EngageMode {
  /** The text matches a regular expression; {@code .} matches always. */
  PATTERN,
  /** The message mentions the bot. */
  MENTION,
  /** The message mentions the bot, or is in a thread in which a permitted person has done so. */
  MENTION_STICKY;

  public String wire() {
    return WireNames.name(this);
  }

  public static EngageMode parse(String text) {
    return WireNames.parse(EngageMode.class, "engage_mode", text);
  }
}
