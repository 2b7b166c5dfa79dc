package dev.midcourse.core.chat;

import java.time.Instant;
import java.util.Optional;

/**
 * One place in a channel where people write.
 *
 * @param platformId the id of the chat in its channel
 * @param threads whether the chat has threads
 */
public record Chat(
    ChatId id,
    ChannelName channel,
    String platformId,
    Optional<String> name,
    ChatKind kind,
    boolean threads,
    UnknownSenderPolicy unknownSenders,
    Instant createdAt) {

  /** The name for display. */
  public String title() {
    return name.orElseGet(() -> channel + ":" + platformId);
  }
}
