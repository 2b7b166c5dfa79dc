package dev.midcourse.cli.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a response as a stream. It ends after the announced number of bytes, after the last
 * chunk, or with the connection. A body that breaks off earlier is an error, never a short body.
 */
abstract sealed class ResponseBody extends InputStream {
  final HttpInput wire;

  private ResponseBody(HttpInput wire) {
    this.wire = wire;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public abstract int read(byte[] into, int offset, int length) throws IOException;

  int some(byte[] into, int offset, int length) throws IOException {
    int count = wire.read(into, offset, length);
    if (count < 0) {
      throw new EOFException("the connection ended within the response");
    }
    return count;
  }

  /** A body of a known length. */
  static final class Counted extends ResponseBody {
    private long left;

    Counted(HttpInput wire, long length) {
      super(wire);
      left = length;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = some(into, offset, (int) Math.min(length, left));
      left -= count;
      return count;
    }
  }

  /** A body in chunks, each preceded by its length. */
  static final class Chunked extends ResponseBody {
    private long left;
    private boolean first = true;
    private boolean over;

    Chunked(HttpInput wire) {
      super(wire);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0 && !over) {
        nextChunk();
      }
      if (over) {
        return -1;
      }
      int count = some(into, offset, (int) Math.min(length, left));
      left -= count;
      return count;
    }

    private void nextChunk() throws IOException {
      if (!first && !wire.line().isEmpty()) {
        throw new IOException("a chunk of the response is longer than it says");
      }
      first = false;
      left = length(wire.line());
      over = left == 0;
      while (over && !wire.line().isEmpty()) {
        // Trailer headers are ignored.
      }
    }

    private static long length(String line) throws IOException {
      int end = line.indexOf(';');
      String digits = (end < 0 ? line : line.substring(0, end)).strip();
      boolean sound = !digits.isEmpty() && digits.length() <= 15;
      for (int i = 0; sound && i < digits.length(); i++) {
        sound = digits.charAt(i) < 128 && Character.digit(digits.charAt(i), 16) >= 0;
      }
      if (!sound) {
        throw new IOException("a chunk of the response does not start with its length");
      }
      return Long.parseLong(digits, 16);
    }
  }

  /** A body that ends when the server closes the connection. */
  static final class UntilClosed extends ResponseBody {
    UntilClosed(HttpInput wire) {
      super(wire);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return wire.read(into, offset, length);
    }
  }
}
