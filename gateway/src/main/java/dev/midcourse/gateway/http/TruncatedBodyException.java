package dev.midcourse.gateway.http;

import java.io.IOException;

/** The sender closed or lost its connection before the end of the body. */
public final class TruncatedBodyException extends IOException {
  private static final long serialVersionUID = 1L;

  TruncatedBodyException(String message) {
    super(message);
  }

  TruncatedBodyException(IOException cause) {
    super("the sender's connection failed: " + cause.getMessage(), cause);
  }
}
