package dev.midcourse.gateway.http;

import java.io.IOException;

/** A message is not valid HTTP/1.1, or its head is too long. The connection cannot be used on. */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  private MalformedMessageException(int status, String message) {
    super(message);
    this.status = status;
  }

  static MalformedMessageException invalid(String message) {
    return new MalformedMessageException(400, message);
  }

  static MalformedMessageException tooLong(int max) {
    return new MalformedMessageException(431, "the head is longer than " + max + " bytes");
  }

  /** The status of the answer to a request like this. */
  public int status() {
    return status;
  }
}
