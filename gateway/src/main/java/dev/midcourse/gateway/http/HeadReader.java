package dev.midcourse.gateway.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads heads. Refuses what two programs could read in two ways: folded lines, control characters,
 * space before a colon.
 */
public final class HeadReader {
  /** The longest head. Providers accept less than half of it. */
  public static final int MAX_BYTES = 64 * 1024;

  private HeadReader() {}

  /** Reads a head, or returns empty when the stream ends before its first byte. */
  public static Optional<MessageHead> read(ByteSource source) throws IOException {
    List<String> lines = new ArrayList<>();
    int left = MAX_BYTES;
    while (true) {
      int length = lineLength(source, left);
      if (length == 0) {
        if (lines.isEmpty() && source.unread() == 0) {
          return Optional.empty();
        }
        throw MalformedMessageException.invalid("the connection ended in a head");
      }
      String line = line(source, length);
      source.skip(length);
      left -= length;
      if (!line.isEmpty()) {
        lines.add(line);
      } else if (!lines.isEmpty()) {
        return Optional.of(head(lines));
      }
    }
  }

  /** Returns the length of the next line with its end, or 0 at the end of the stream. */
  private static int lineLength(ByteSource source, int max) throws IOException {
    int looked = 0;
    while (true) {
      byte[] buffer = source.buffer();
      for (; looked < source.unread(); looked++) {
        if (looked >= max) {
          throw MalformedMessageException.tooLong(MAX_BYTES);
        }
        if (buffer[source.position() + looked] == '\n') {
          return looked + 1;
        }
      }
      if (looked >= max) {
        throw MalformedMessageException.tooLong(MAX_BYTES);
      }
      if (!source.readMore()) {
        return 0;
      }
    }
  }

  private static String line(ByteSource source, int length) throws MalformedMessageException {
    byte[] buffer = source.buffer();
    int from = source.position();
    int end = from + length - 1;
    if (end > from && buffer[end - 1] == '\r') {
      end--;
    }
    for (int i = from; i < end; i++) {
      if (buffer[i] >= 0 && buffer[i] < ' ' && buffer[i] != '\t') {
        throw MalformedMessageException.invalid("a head has a control character");
      }
    }
    return new String(buffer, from, end - from, StandardCharsets.ISO_8859_1);
  }

  private static MessageHead head(List<String> lines) throws MalformedMessageException {
    List<HeaderField> fields = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      fields.add(HeaderField.parse(line));
    }
    return new MessageHead(lines.getFirst(), fields);
  }
}
