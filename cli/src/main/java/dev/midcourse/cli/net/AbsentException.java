package dev.midcourse.cli.net;

import java.io.IOException;

/** Nobody listens there. */
public final class AbsentException extends IOException {
  private static final long serialVersionUID = 1L;

  AbsentException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
