package dev.midcourse.cli.net;

import java.io.IOException;

/** Nobody listens there. */
public final class HubUnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  HubUnreachableException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
