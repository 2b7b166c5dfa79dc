package dev.midcourse.core.chat.inbound;

import java.time.Instant;
import java.util.Optional;

/** What a platform tells about a chat or a connection, besides messages and clicks. */
public sealed interface ChannelNotice {

  /** The platform gave the chat another id, as when a Telegram group becomes a supergroup. */
  record ChatMoved(String oldChat, String newChat) implements ChannelNotice {}

  /** The bot can no longer write there: it was removed, or the chat was deleted. */
  record ChatClosed(String chat, String reason) implements ChannelNotice {}

  /** The bot was added to a chat, or may write there again. */
  record ChatOpened(String chat, Optional<String> name) implements ChannelNotice {}

  /**
   * Messages of this time may be missing and cannot be fetched from the platform.
   *
   * @param chat empty if every chat of the channel may miss some
   * @param missing what may be missing, for people: "clicks on buttons", "messages"
   */
  record Gap(Optional<String> chat, Instant from, Instant to, String missing)
      implements ChannelNotice {}

  /** The channel has stopped until somebody repairs it, as when its token was revoked. */
  record Stopped(String reason, String remedy) implements ChannelNotice {}
}
