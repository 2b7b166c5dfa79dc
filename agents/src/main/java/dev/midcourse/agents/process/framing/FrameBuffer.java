package dev.midcourse.agents.process.framing;

import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects the bytes of a frame that arrives in several chunks. Bytes beyond the limit are counted
 * but not stored.
 */
final class FrameBuffer {

  /**
   * A larger buffer is released after use, because there are many followed files and few long
   * lines.
   */
  private static final int KEPT = 64 * 1024;

  private static final byte[] NOTHING = new byte[0];

  private final int limit;
  private byte[] buffer = NOTHING;
  private int length;
  private long dropped;

  FrameBuffer(int limit) {
    this.limit = limit;
  }

  void add(byte[] bytes, int from, int to) {
    int taken = Math.min(to - from, limit - length);
    if (length + taken > buffer.length) {
      int wanted = Math.max(length + taken, Math.min(limit, 2 * buffer.length));
      buffer = Arrays.copyOf(buffer, wanted);
    }
    System.arraycopy(bytes, from, buffer, length, taken);
    length += taken;
    dropped += to - from - taken;
  }

  long total() {
    return length + dropped;
  }

  boolean isEmpty() {
    return total() == 0;
  }

  String text() {
    return new String(buffer, 0, length, StandardCharsets.UTF_8);
  }

  /** Returns the collected frame, which ends at the offset, and clears the buffer. */
  OutputFrame take(long endOffset) {
    OutputFrame piece =
        dropped == 0
            ? new OutputFrame.Whole(text(), endOffset)
            : new OutputFrame.Cut(text(), dropped, endOffset);
    clear();
    return piece;
  }

  void clear() {
    length = 0;
    dropped = 0;
    if (buffer.length > KEPT) {
      buffer = NOTHING;
    }
  }
}
