package dev.midcourse.gateway.http;

/**
 * Finds the end of a chunked body in bytes that arrive in any portions, and tells its content. Not
 * thread-safe.
 */
final class ChunkScanner {
  private static final int MAX_SIZE_DIGITS = 15;
  private static final int MAX_LINE = 16 * 1024;

  private enum State {
    SIZE,
    EXTENSION,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER_START,
    TRAILER,
    END
  }

  private State state = State.SIZE;
  private long left;
  private int digits;
  private int lineLength;
  private byte previous;

  boolean isEnd() {
    return state == State.END;
  }

  /** Scans bytes up to the end of the body. Returns how many bytes belong to the body. */
  int scan(byte[] bytes, int from, int length, BodyListener listener)
      throws MalformedMessageException {
    int at = from;
    int end = from + length;
    while (at < end && state != State.END) {
      if (state == State.DATA) {
        int part = (int) Math.min(left, end - at);
        listener.content(bytes, at, part);
        at += part;
        left -= part;
        state = left == 0 ? State.DATA_CR : State.DATA;
      } else {
        state = next(bytes[at]);
        previous = bytes[at++];
      }
    }
    return at - from;
  }

  private State next(byte b) throws MalformedMessageException {
    return switch (state) {
      case SIZE -> size(b);
      case EXTENSION -> b == '\n' ? endLine(afterSize()) : inLine(State.EXTENSION);
      case DATA_CR -> expect(b, '\r', State.DATA_LF);
      case DATA_LF -> expect(b, '\n', State.SIZE);
      case TRAILER_START ->
          switch (b) {
            case '\r' -> inLine(State.TRAILER_START);
            case '\n' -> endLine(State.END);
            default -> inLine(State.TRAILER);
          };
      case TRAILER -> b == '\n' ? endLine(State.TRAILER_START) : inLine(State.TRAILER);
      case DATA, END -> throw new IllegalStateException("no byte of the framing");
    };
  }

  private State size(byte b) throws MalformedMessageException {
    int digit = Character.digit(b, 16);
    if (b > 0 && digit >= 0) {
      if (++digits > MAX_SIZE_DIGITS) {
        throw MalformedMessageException.invalid("a chunk is too long");
      }
      left = left * 16 + digit;
      return State.SIZE;
    }
    if (digits == 0 || (b != '\r' && b != ';' && b != ' ' && b != '\t')) {
      throw MalformedMessageException.invalid("the size of a chunk is not a number");
    }
    return State.EXTENSION;
  }

  private State afterSize() {
    digits = 0;
    lineLength = 0;
    return left == 0 ? State.TRAILER_START : State.DATA;
  }

  /** A line ends with both characters: servers differ in what else ends one. */
  private State endLine(State then) throws MalformedMessageException {
    if (previous != '\r') {
      throw MalformedMessageException.invalid("a line of a chunked body has no valid end");
    }
    previous = 0;
    return then;
  }

  /** All trailers together, and each extension, are bounded. */
  private State inLine(State same) throws MalformedMessageException {
    if (++lineLength > MAX_LINE || (previous == '\r' && state != State.SIZE)) {
      throw MalformedMessageException.invalid("a line of a chunked body is too long or invalid");
    }
    return same;
  }

  private static State expect(byte b, char wanted, State then) throws MalformedMessageException {
    if (b != wanted) {
      throw MalformedMessageException.invalid("a chunk is longer than its size");
    }
    return then;
  }
}
