package dev.midcourse.core.chat.outbound;

import dev.midcourse.core.WireNames;

/** How far a message to people got. */
public enum OutboundState {
  /** It waits. */
  QUEUED,
  /** It is being sent; after a crash in this state the result is not known. */
  SENDING,
  /** The platform confirmed it. */
  SENT,
  /** It may have been sent. It is shown to the owner and not sent again by itself. */
  UNKNOWN,
  /**
   * The platform refused it for good, all tries failed, or the platform took it and reported later
   * that it was not delivered.
   */
  FAILED,
  /** A newer message took its place before it was sent. */
  SUPERSEDED,
  /** The channel has no form for it, and nobody misses it: progress, a reaction without a text. */
  SKIPPED,
  /** A person has read that it was not sent, or that this is not known, and leaves it so. */
  DISMISSED;

  public boolean open() {
    return this == QUEUED || this == SENDING;
  }

  public String wire() {
    return WireNames.name(this);
  }

  public static OutboundState parse(String text) {
    return WireNames.parse(OutboundState.class, "state", text);
  }
}
