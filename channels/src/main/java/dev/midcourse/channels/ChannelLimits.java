package dev.midcourse.channels;

import java.time.Duration;

/**
 * The limits of a platform.
 *
 * @param maxText the greatest length of a message, in UTF-16 units
 * @param maxButtons the greatest number of buttons of a card
 * @param maxFileBytes the greatest size of a file
 * @param sendInterval the least time between two requests to one chat
 * @param editInterval the least time between two edits of progress in one chat
 */
public record ChannelLimits(
    int maxText, int maxButtons, long maxFileBytes, Duration sendInterval, Duration editInterval) {
  private static final int MIN_TEXT = 100;

  public ChannelLimits {
    if (maxText < MIN_TEXT) {
      throw new IllegalArgumentException("a message has at least " + MIN_TEXT + " characters");
    }
  }
}
