package dev.midcourse.cli.net;

import java.io.IOException;
import java.time.Duration;

/** The hub accepted the request and did not answer in time. */
public final class HubTimeoutException extends IOException {
  private static final long serialVersionUID = 1L;

  HubTimeoutException(Duration timeout, Throwable cause) {
    super("no response within " + timeout.toSeconds() + " s", cause);
  }
}
