package dev.midcourse.gateway.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Passes a body on. Each portion that arrives is written at once and unchanged, framing included,
 * so a reader that is slow slows its sender, and nothing is held here.
 */
public final class BodyPump {

  private BodyPump() {}

  /**
   * Returns at the end of the body.
   *
   * @throws TruncatedBodyException if the sender's connection ended before the body
   * @throws MalformedMessageException if the framing is invalid
   * @throws IOException if the receiver's connection failed
   */
  public static void pump(
      ByteSource source, OutputStream sink, BodyFraming framing, BodyListener listener)
      throws IOException {
    switch (framing) {
      case BodyFraming.None() -> {}
      case BodyFraming.Length(long bytes) -> pumpLength(source, sink, bytes, listener);
      case BodyFraming.Chunked() -> pumpChunks(source, sink, listener);
      case BodyFraming.UntilClose() -> {
        while (arrives(source)) {
          pass(source, sink, source.unread(), listener);
        }
      }
    }
  }

  private static void pumpLength(
      ByteSource source, OutputStream sink, long bytes, BodyListener listener) throws IOException {
    long left = bytes;
    while (left > 0) {
      requireMore(source);
      int part = (int) Math.min(left, source.unread());
      pass(source, sink, part, listener);
      left -= part;
    }
  }

  private static void pumpChunks(ByteSource source, OutputStream sink, BodyListener listener)
      throws IOException {
    ChunkScanner scanner = new ChunkScanner();
    while (!scanner.isEnd()) {
      requireMore(source);
      int part = scanner.scan(source.buffer(), source.position(), source.unread(), listener);
      sink.write(source.buffer(), source.position(), part);
      source.skip(part);
    }
  }

  private static void pass(ByteSource source, OutputStream sink, int count, BodyListener listener)
      throws IOException {
    listener.content(source.buffer(), source.position(), count);
    sink.write(source.buffer(), source.position(), count);
    source.skip(count);
  }

  private static void requireMore(ByteSource source) throws TruncatedBodyException {
    if (!arrives(source)) {
      throw new TruncatedBodyException("the sender closed its connection inside the body");
    }
  }

  private static boolean arrives(ByteSource source) throws TruncatedBodyException {
    try {
      return source.await();
    } catch (IOException failure) {
      throw new TruncatedBodyException(failure);
    }
  }
}
