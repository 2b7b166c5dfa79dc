package dev.midcourse.gateway.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The bytes that arrive on a connection. Reads what is there and never waits for more than one byte
 * more. Not thread-safe.
 */
public final class ByteSource {
  private static final int SIZE = 32 * 1024;

  private final InputStream in;
  private byte[] buffer = new byte[SIZE];
  private int from;
  private int to;

  public ByteSource(InputStream in) {
    this.in = in;
  }

  /** Waits for at least one unread byte. Returns false at the end of the stream. */
  public boolean await() throws IOException {
    return from < to || readMore();
  }

  /**
   * Waits for more bytes than are unread now, and keeps those. Returns false at the end of the
   * stream.
   */
  boolean readMore() throws IOException {
    if (from == to) {
      from = 0;
      to = 0;
    } else if (to == buffer.length) {
      byte[] roomier = from > 0 ? buffer : Arrays.copyOf(buffer, buffer.length * 2);
      System.arraycopy(buffer, from, roomier, 0, to - from);
      buffer = roomier;
      to -= from;
      from = 0;
    }
    int count = in.read(buffer, to, buffer.length - to);
    if (count <= 0) {
      return false;
    }
    to += count;
    return true;
  }

  byte[] buffer() {
    return buffer;
  }

  int position() {
    return from;
  }

  int unread() {
    return to - from;
  }

  /** Marks bytes as read. A buffer that grew for a long head shrinks again. */
  void skip(int count) {
    from += count;
    if (from == to && buffer.length > SIZE) {
      buffer = new byte[SIZE];
      from = 0;
      to = 0;
    }
  }

  /** Reads and drops bytes until the end of the stream, at most this many. */
  public void discard(long max) throws IOException {
    long left = max;
    while (left > 0 && await()) {
      left -= unread();
      skip(unread());
    }
  }
}
