package dev.midcourse.channels.connection;

import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import java.time.Duration;
import java.util.Optional;

/**
 * The sender of a channel that sends over the connection on which it receives. Without a
 * connection, a request is to be tried again later; a thread that is interrupted while it sends
 * does not know the result.
 */
public final class CurrentSender<S> {
  private static final Duration RECONNECT_DELAY = Duration.ofSeconds(5);

  private volatile Optional<S> sender = Optional.empty();

  /** A request to the platform. */
  @FunctionalInterface
  public interface Request<S, R> {
    R sendWith(S sender) throws InterruptedException;
  }

  /** The connection is open: requests go to this sender. */
  public void set(S opened) {
    sender = Optional.of(opened);
  }

  /** The connection is closed. */
  public void clear() {
    sender = Optional.empty();
  }

  /** Sends with the sender of the open connection. */
  public SendResult send(Request<S, SendResult> request) {
    Optional<S> now = sender;
    if (now.isEmpty()) {
      return new SendResult.RetryAfter(RECONNECT_DELAY, "the channel is not connected");
    }
    try {
      return request.sendWith(now.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub ended while the message was being sent");
    }
  }

  /** Asks the platform with the sender of the open connection whether it has a message. */
  public LookUpResult lookUp(Request<S, LookUpResult> request) {
    Optional<S> now = sender;
    if (now.isEmpty()) {
      return new LookUpResult.NotKnown("the channel is not connected");
    }
    try {
      return request.sendWith(now.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new LookUpResult.NotKnown("the hub ended");
    }
  }
}
