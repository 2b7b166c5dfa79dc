package dev.midcourse.channels;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
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

  /** The state of the connection. */
  default ChannelStatus status() {
    return new ChannelStatus.Connected(Instant.EPOCH);
  }

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

  /**
   * Writes the content of a file that came with a message to the target, which does not exist yet.
   * Fetches from hosts of the platform only, and gives no secret to another host after a redirect.
   *
   * @throws IOException if it cannot be fetched, or has more than {@code maxBytes}
   */
  default void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    throw new IOException("the channel " + name() + " cannot fetch files");
  }

  /** Shows that an answer is being written, if the platform has such a sign. Never fails. */
  default void showTyping(ChatAddress to) {}

  /** Ends receiving. A call of {@link #send} that is under way may still return its result. */
  @Override
  void close();
}
