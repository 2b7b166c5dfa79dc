package dev.midcourse.channels.http;

import java.io.IOException;

/** The other side has closed the web socket, or the connection is lost. */
public final class SocketClosedException extends IOException {
  private static final long serialVersionUID = 1;

  private final int code;

  SocketClosedException(int code, String reason) {
    super("the web socket was closed with code " + code + (reason.isEmpty() ? "" : ": " + reason));
    this.code = code;
  }

  /** The close code; 1006 if the connection was lost. */
  public int code() {
    return code;
  }
}
