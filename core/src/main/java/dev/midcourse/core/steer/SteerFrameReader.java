package dev.midcourse.core.steer;

import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the frames of steers in a text of a conversation. A frame counts if it is whole: it begins
 * a line, its text has the length that its first line says, and its last line has the same id. A
 * frame inside another one is part of that one's text and does not count.
 */
public final class SteerFrameReader {
  private static final String OPEN = "[midcourse steer ";
  private static final Pattern HEAD =
      Pattern.compile(
          "\\[midcourse steer ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
              + " from [^\\n\\]]{1,300} via [^\\n\\]]{1,300}, ([0-9]{1,6}) bytes: [^\\n\\]]{1,300}]\\n");

  private SteerFrameReader() {}

  /** A whole frame: its steer, where it begins, and where it has ended. */
  public record FoundFrame(SteerId steer, int from, int to) {}

  /** Returns all whole frames, in their order. */
  public static List<FoundFrame> find(String text) {
    List<FoundFrame> found = new ArrayList<>();
    Matcher head = HEAD.matcher(text);
    int at = text.indexOf(OPEN);
    while (at >= 0) {
      int end = isLineStart(text, at) ? frameEnd(text, head.region(at, text.length())) : -1;
      if (end >= 0) {
        found.add(new FoundFrame(SteerId.of(head.group(1)), at, end));
      }
      at = text.indexOf(OPEN, end >= 0 ? end : at + 1);
    }
    return found;
  }

  private static boolean isLineStart(String text, int at) {
    return at == 0 || text.charAt(at - 1) == '\n';
  }

  /** Returns where the frame ends, or -1 if there is no whole frame. */
  private static int frameEnd(String text, Matcher head) {
    if (!head.lookingAt()) {
      return -1;
    }
    int textEnd = afterBytes(text, head.end(), Integer.parseInt(head.group(2)));
    String last = "\n[end of midcourse steer " + head.group(1) + "]";
    return textEnd >= 0 && text.startsWith(last, textEnd) ? textEnd + last.length() : -1;
  }

  /** Returns the position after this many bytes of UTF-8, or -1 if no character ends there. */
  private static int afterBytes(String text, int from, int bytes) {
    int left = bytes;
    int at = from;
    while (left > 0 && at < text.length()) {
      int character = text.codePointAt(at);
      left -= character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
      at += Character.charCount(character);
    }
    return left == 0 ? at : -1;
  }
}
