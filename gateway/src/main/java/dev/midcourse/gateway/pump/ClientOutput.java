package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.io.OutputStream;

/** Writes to an agent, and tells a failure of its connection from one of the provider's. */
final class ClientOutput extends OutputStream {
  private final OutputStream out;

  ClientOutput(OutputStream out) {
    this.out = out;
  }

  /** The agent has closed its connection. */
  static final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGoneException(IOException cause) {
      super(cause);
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException gone) {
      throw new ClientGoneException(gone);
    }
  }
}
