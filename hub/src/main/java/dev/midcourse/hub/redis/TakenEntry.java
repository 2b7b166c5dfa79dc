package dev.midcourse.hub.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** An entry in processing, as {@link RedisScript#TAKE} returns it: an id, a mark and the entry. */
final class TakenEntry {
  private static final char WHOLE = '=';
  private static final char CUT = '>';

  private final String tag;
  private final byte[] entry;

  private TakenEntry(String tag, byte[] entry) {
    this.tag = tag;
    this.entry = entry;
  }

  static TakenEntry of(byte[] element) {
    int mark = 0;
    while (mark < element.length && element[mark] != WHOLE && element[mark] != CUT) {
      mark++;
    }
    int start = Math.min(mark + 1, element.length);
    return new TakenEntry(
        new String(element, 0, start, UTF_8), Arrays.copyOfRange(element, start, element.length));
  }

  /** The id and the mark. */
  String tag() {
    return tag;
  }

  String id() {
    return tag.isEmpty() ? tag : tag.substring(0, tag.length() - 1);
  }

  /** Whether the entry is there in full; otherwise it was too large. */
  boolean whole() {
    return tag.indexOf(WHOLE) >= 0;
  }

  byte[] bytes() {
    return entry;
  }

  /** The entry for display. */
  String text() {
    return new String(entry, UTF_8);
  }
}
