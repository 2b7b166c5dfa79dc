package dev.midcourse.gateway.record;

import dev.midcourse.gateway.http.BodyListener;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Decodes the content of a body that arrives in portions. Not thread-safe. */
interface ContentDecoder extends AutoCloseable {

  /** Decodes a portion. Throws if the content is not valid. */
  void decode(byte[] bytes, int from, int length, BodyListener sink) throws DataFormatException;

  @Override
  void close();

  /** Returns a decoder for a content coding; empty for one that cannot be read. */
  static Optional<ContentDecoder> of(Optional<String> coding) {
    return switch (coding.orElse("identity").toLowerCase(Locale.ROOT)) {
      case "identity", "" -> Optional.of(new Identity());
      case "gzip", "x-gzip" -> Optional.of(new Gzip());
      default -> Optional.empty();
    };
  }

  /** Content that is not coded. */
  final class Identity implements ContentDecoder {
    @Override
    public void decode(byte[] bytes, int from, int length, BodyListener sink) {
      sink.content(bytes, from, length);
    }

    @Override
    public void close() {}
  }

  /** One member of gzip, whose check sum is not compared: the receiver does that. */
  final class Gzip implements ContentDecoder {
    private static final int FIXED_HEADER = 10;
    private static final int FLAGS_AT = 3;
    private static final int HAS_HEADER_CHECK = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private final Inflater inflater = new Inflater(true);
    private final byte[] out = new byte[16 * 1024];
    private int headerBytes;
    private int flags;
    private int toSkip;
    private int extra;

    @Override
    public void decode(byte[] bytes, int from, int length, BodyListener sink)
        throws DataFormatException {
      int at = from;
      int end = from + length;
      while (at < end && !isHeaderRead()) {
        header(bytes[at++] & 0xff);
      }
      if (at == end || inflater.finished()) {
        return;
      }
      inflater.setInput(bytes, at, end - at);
      int count = inflater.inflate(out);
      while (count > 0) {
        sink.content(out, 0, count);
        count = inflater.inflate(out);
      }
      if (inflater.needsDictionary()) {
        throw new DataFormatException("gzip has no dictionaries");
      }
    }

    private boolean isHeaderRead() {
      return headerBytes >= FIXED_HEADER && flags == 0 && toSkip == 0;
    }

    /** Reads the fixed header, and skips the optional fields in their order. */
    private void header(int b) throws DataFormatException {
      headerBytes++;
      if (headerBytes <= FIXED_HEADER) {
        fixed(b);
      } else if (toSkip > 0) {
        toSkip--;
      } else if ((flags & HAS_EXTRA) != 0) {
        extra = extra < 0 ? ~extra | (b << 8) : ~b;
        if (extra >= 0) {
          toSkip = extra;
          flags &= ~HAS_EXTRA;
        }
      } else if ((flags & HAS_NAME) != 0) {
        flags &= b == 0 ? ~HAS_NAME : ~0;
      } else if ((flags & HAS_COMMENT) != 0) {
        flags &= b == 0 ? ~HAS_COMMENT : ~0;
      } else {
        toSkip = 1;
        flags = 0;
      }
    }

    private void fixed(int b) throws DataFormatException {
      boolean valid =
          switch (headerBytes) {
            case 1 -> b == 0x1f;
            case 2 -> b == 0x8b;
            case 3 -> b == 8;
            default -> true;
          };
      if (!valid) {
        throw new DataFormatException("no gzip header");
      }
      if (headerBytes == FLAGS_AT + 1) {
        flags = b & (HAS_HEADER_CHECK | HAS_EXTRA | HAS_NAME | HAS_COMMENT);
      }
    }

    @Override
    public void close() {
      inflater.end();
    }
  }
}
