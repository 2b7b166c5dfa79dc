package dev.midcourse.agents.process.framing;

import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Decodes lines that end with LF. A line over 8 MiB is cut. Only the LF is removed. */
public final class LineDecoder implements FrameDecoder {

  private final int limit;
  private final FrameBuffer begun;
  private long offset;

  /**
   * @param fromOffset the offset of the first chunk in the stream; a line must begin there
   */
  public LineDecoder(long fromOffset) {
    this(fromOffset, MAX_LENGTH);
  }

  LineDecoder(long fromOffset, int limit) {
    this.offset = fromOffset;
    this.limit = limit;
    this.begun = new FrameBuffer(limit);
  }

  @Override
  public void feed(byte[] chunk, Consumer<OutputFrame> pieces) {
    int from = 0;
    for (int at = 0; at < chunk.length; at++) {
      if (chunk[at] == '\n') {
        pieces.accept(line(chunk, from, at, offset + at + 1));
        from = at + 1;
      }
    }
    begun.add(chunk, from, chunk.length);
    offset += chunk.length;
  }

  private OutputFrame line(byte[] chunk, int from, int to, long endOffset) {
    if (begun.isEmpty() && to - from <= limit) {
      return new OutputFrame.Whole(
          new String(chunk, from, to - from, StandardCharsets.UTF_8), endOffset);
    }
    begun.add(chunk, from, to);
    return begun.take(endOffset);
  }

  @Override
  public Optional<OutputFrame> rest() {
    return begun.isEmpty() ? Optional.empty() : Optional.of(begun.take(offset));
  }
}
