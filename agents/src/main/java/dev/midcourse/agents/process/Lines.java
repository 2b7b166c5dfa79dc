package dev.midcourse.agents.process;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Lines that end with LF; a line over 8 MiB is cut. Nothing but the LF is taken off. */
public final class Lines implements Splitter {

  private final int limit;
  private final Gathering begun;
  private long offset;

  /**
   * @param fromOffset where in the stream the first chunk begins, which is where a line begins
   */
  public Lines(long fromOffset) {
    this(fromOffset, LONGEST);
  }

  Lines(long fromOffset, int limit) {
    this.offset = fromOffset;
    this.limit = limit;
    this.begun = new Gathering(limit);
  }

  @Override
  public void feed(byte[] chunk, Consumer<Piece> pieces) {
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

  private Piece line(byte[] chunk, int from, int to, long endOffset) {
    if (begun.isEmpty() && to - from <= limit) {
      return new Piece.Whole(new String(chunk, from, to - from, StandardCharsets.UTF_8), endOffset);
    }
    begun.add(chunk, from, to);
    return begun.take(endOffset);
  }

  @Override
  public Optional<Piece> rest() {
    return begun.isEmpty() ? Optional.empty() : Optional.of(begun.take(offset));
  }
}
