package dev.midcourse.cli.net;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Reads bytes of a connection by line or by count through one buffer. The length of a line is
 * limited, so that the headers of a response cannot fill the memory.
 */
final class HttpInput {
  private static final int MAX_LINE = 64 * 1024;

  private final ReadableByteChannel from;
  private final ByteBuffer buffer = ByteBuffer.allocate(16 * 1024).flip();

  HttpInput(ReadableByteChannel from) {
    this.from = from;
  }

  /** Returns the next byte, or -1 at the end. */
  int read() throws IOException {
    return fill() ? buffer.get() & 0xFF : -1;
  }

  /** Reads the available bytes, at most {@code length}; returns -1 at the end. */
  int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(into, offset, count);
    return count;
  }

  /** Reads a line of the protocol without its line end. */
  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    while (true) {
      int b = read();
      if (b < 0) {
        throw new EOFException("the connection ended within a line");
      }
      if (b == '\n') {
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      line.write(b);
      if (line.size() > MAX_LINE) {
        throw new IOException("a line of the response is longer than " + MAX_LINE + " bytes");
      }
    }
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    buffer.clear();
    int count = from.read(buffer);
    buffer.flip();
    return count > 0;
  }
}
