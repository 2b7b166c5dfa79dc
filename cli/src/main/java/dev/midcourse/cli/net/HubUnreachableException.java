package dev.midcourse.cli.net;

import java.io.IOException;

/** No process listens at the address of the hub. */
public final class HubUnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  HubUnreachableException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
