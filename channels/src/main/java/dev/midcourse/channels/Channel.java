package dev.midcourse.channels;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Identity;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.util.Optional;

/**
 * A way to people, such as Telegram or the terminal.
 *
 * <p>Receiving: the channel gives every update to the listener and acknowledges it to the platform
 * only after the listener has returned. Sending: {@link #send} makes one call to the platform and
 * says what is known about its result. It neither repeats the call nor waits for a rate limit; the
 * outbox does both.
 */
public interface Channel extends AutoCloseable {
  ChannelName name();

  /** The account of the bot, once the platform has told it. */
  Optional<Identity> identity();

  /** What the channel can do, and the limits of its platform. */
  ChannelCapabilities capabilities();

  /** Begins to receive. Returns at once; problems of the connection are repaired by the channel. */
  void start(ChannelListener listener);

  /**
   * Makes one request to the platform and blocks until its result is known or given up.
   *
   * @param id distinguishes the request from others; a platform with idempotency keys gets it
   */
  SendResult send(OutboundId id, ChannelRequest request);

  /**
   * Finds out whether a request of an earlier process has reached the platform. The outbox asks
   * only channels with {@link ChannelFeature#LOOK_UP}.
   */
  default LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    return new LookUpResult.NotKnown("this channel cannot look up messages");
  }

  /** Shows that an answer is being written, if the platform has such a sign. Never fails. */
  default void showTyping(ChatAddress to) {}

  /** Ends receiving. A call of {@link #send} that is under way may still return its result. */
  @Override
  void close();
}
