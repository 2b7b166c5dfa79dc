package dev.midcourse.agents.process.framing;

import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes messages behind a {@code Content-Length} header, the format of language servers. A
 * message over 8 MiB is cut. A line that is neither header nor message becomes a stray frame, and
 * decoding continues with the next header.
 */
public final class ContentLengthDecoder implements FrameDecoder {

  private static final int MAX_HEADER = 8 * 1024;
  private static final Pattern LENGTH =
      Pattern.compile("content-length:\\s*(\\d{1,15})\\s*", Pattern.CASE_INSENSITIVE);
  private static final Pattern OTHER_HEADER =
      Pattern.compile("content-type:.*", Pattern.CASE_INSENSITIVE);
  private static final long NO_LENGTH = -1;

  private final FrameBuffer header = new FrameBuffer(MAX_HEADER);
  private final FrameBuffer body;
  private long offset;

  /** The content length that the headers of the next message state. */
  private long announced = NO_LENGTH;

  private boolean inBody;

  /**
   * @param fromOffset the offset of the first chunk in the stream; a message must begin there
   */
  public ContentLengthDecoder(long fromOffset) {
    this(fromOffset, MAX_LENGTH);
  }

  ContentLengthDecoder(long fromOffset, int limit) {
    this.offset = fromOffset;
    this.body = new FrameBuffer(limit);
  }

  @Override
  public void feed(byte[] chunk, Consumer<OutputFrame> pieces) {
    int at = 0;
    while (at < chunk.length) {
      at = inBody ? takeBody(chunk, at, pieces) : takeHeaderLine(chunk, at, pieces);
    }
    offset += chunk.length;
  }

  private int takeBody(byte[] chunk, int from, Consumer<OutputFrame> pieces) {
    long missing = announced - body.total();
    int to = (int) Math.min(chunk.length, from + missing);
    body.add(chunk, from, to);
    if (body.total() == announced) {
      endMessage(offset + to, pieces);
    }
    return to;
  }

  private void endMessage(long endOffset, Consumer<OutputFrame> pieces) {
    inBody = false;
    announced = NO_LENGTH;
    pieces.accept(body.take(endOffset));
  }

  private int takeHeaderLine(byte[] chunk, int from, Consumer<OutputFrame> pieces) {
    int end = from;
    while (end < chunk.length && chunk[end] != '\n') {
      end++;
    }
    header.add(chunk, from, end);
    if (end == chunk.length) {
      return end;
    }
    endHeaderLine(offset + end + 1, pieces);
    return end + 1;
  }

  private void endHeaderLine(long endOffset, Consumer<OutputFrame> pieces) {
    String line = header.text().stripTrailing();
    header.clear();
    Matcher length = LENGTH.matcher(line);
    if (length.matches()) {
      announced = Long.parseLong(length.group(1));
    } else if (line.isEmpty() && announced != NO_LENGTH) {
      inBody = true;
      if (announced == 0) {
        endMessage(endOffset, pieces);
      }
    } else if (!line.isEmpty() && !OTHER_HEADER.matcher(line).matches()) {
      announced = NO_LENGTH;
      pieces.accept(new OutputFrame.Stray(line, endOffset));
    }
  }

  /** Returns an incomplete message or header as a stray frame. */
  @Override
  public Optional<OutputFrame> rest() {
    FrameBuffer broken = inBody ? body : header;
    if (broken.isEmpty()) {
      return Optional.empty();
    }
    OutputFrame.Stray stray = new OutputFrame.Stray(broken.text(), offset);
    broken.clear();
    inBody = false;
    announced = NO_LENGTH;
    return Optional.of(stray);
  }
}
