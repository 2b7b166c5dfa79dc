package dev.midcourse.channels.http;

import dev.midcourse.channels.SendResult;
import java.io.IOException;
import java.time.Duration;

/** A request without an answer. */
public final class PlatformException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean mayHaveArrived;

  PlatformException(String reason, boolean mayHaveArrived) {
    super(reason);
    this.mayHaveArrived = mayHaveArrived;
  }

  /** Whether the platform may have got the request and carried it out. */
  public boolean mayHaveArrived() {
    return mayHaveArrived;
  }

  /** What is known about a message that was sent with the request. */
  public SendResult sendResult() {
    String reason = String.valueOf(getMessage());
    return mayHaveArrived
        ? new SendResult.Unknown(reason)
        : new SendResult.RetryAfter(Duration.ZERO, reason);
  }
}
