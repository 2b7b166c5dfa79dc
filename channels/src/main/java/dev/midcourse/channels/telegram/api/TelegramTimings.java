package dev.midcourse.channels.telegram.api;

import java.time.Duration;

/**
 * The times of a channel.
 *
 * @param poll how long Telegram may hold an empty poll; it caps this at 50 s
 * @param settle how long after a part of an album the next one may come
 * @param clickAnswer after this time a click is answered without a text
 * @param conflict the first delay after another program has taken the updates
 */
public record TelegramTimings(
    Duration poll, Duration settle, Duration clickAnswer, Duration conflict) {
  static final TelegramTimings DEFAULT =
      new TelegramTimings(
          Duration.ofSeconds(50),
          Duration.ofSeconds(1),
          Duration.ofSeconds(3),
          Duration.ofSeconds(15));
}
