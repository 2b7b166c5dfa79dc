package dev.midcourse.channels;

/** What a channel can do beyond sending text. */
public enum ChannelFeature {
  /** Shows one reaction of the bot on a message of a person, and replaces it. */
  REACTIONS,
  /** Changes the text of a message of the bot. */
  EDITS,
  /** Shows buttons and reports clicks. */
  BUTTONS,
  /** Sends files. */
  FILES,
  /** Shows that the bot is writing. */
  TYPING,
  /** The platform carries out a request once, however often it gets the same id. */
  IDEMPOTENT_SENDS,
  /** Finds out later whether a request was carried out. */
  LOOK_UP
}
