package dev.midcourse.channels.outbox;

import dev.midcourse.core.watch.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How messages are sent.
 *
 * @param data the folder below which the files of messages are
 * @param giveUpAfter the age at which a message that no platform took is given up
 * @param retries the delays between the tries of one message
 * @param maxChats the number of chats of one channel that are served at once
 */
public record OutboxSettings(Path data, Duration giveUpAfter, RetryPolicy retries, int maxChats) {
  public static final Duration DEFAULT_GIVE_UP_AFTER = Duration.ofHours(24);
  private static final RetryPolicy DEFAULT_RETRIES =
      new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(5));
  private static final int DEFAULT_MAX_CHATS = 256;

  public static OutboxSettings in(Path data) {
    return new OutboxSettings(data, DEFAULT_GIVE_UP_AFTER, DEFAULT_RETRIES, DEFAULT_MAX_CHATS);
  }

  public OutboxSettings withGiveUpAfter(Duration other) {
    return new OutboxSettings(data, other, retries, maxChats);
  }
}
