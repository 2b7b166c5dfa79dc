package dev.midcourse.cli.screen;

/**
 * Computes how many columns of a terminal a text takes. Wide characters and emoji take two,
 * combining marks take none, and a sequence of joined emoji takes as many as its first. The text
 * must come from {@link TextSanitizer}.
 */
public final class DisplayWidth {
  private static final int JOINER = 0x200d;
  private static final int EMOJI_STYLE = 0xfe0f;

  /** First and last code points of the ranges that terminals show two columns wide. */
  private static final int[] WIDE = {
    0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3,
    0x25fd, 0x25fe, 0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267f, 0x267f, 0x268a, 0x268f,
    0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce,
    0x26d4, 0x26d4, 0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa, 0x26fd, 0x26fd,
    0x2705, 0x2705, 0x270a, 0x270b, 0x2728, 0x2728, 0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755,
    0x2757, 0x2757, 0x2795, 0x2797, 0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50,
    0x2b55, 0x2b55, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f,
    0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6,
    0x16fe0, 0x16ff6, 0x17000, 0x18cff, 0x1aff0, 0x1b2ff, 0x1d300, 0x1d376, 0x1f004, 0x1f004,
    0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191, 0x1f19a, 0x1f1e6, 0x1f202, 0x1f210, 0x1f23b,
    0x1f240, 0x1f248, 0x1f250, 0x1f251, 0x1f260, 0x1f265, 0x1f300, 0x1f320, 0x1f32d, 0x1f335,
    0x1f337, 0x1f37c, 0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf, 0x1f3d3, 0x1f3e0, 0x1f3f0,
    0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e, 0x1f440, 0x1f440, 0x1f442, 0x1f4fc, 0x1f4ff, 0x1f53d,
    0x1f54b, 0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4,
    0x1f5fb, 0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2, 0x1f6d5, 0x1f6d8,
    0x1f6dc, 0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4, 0x1f6fc, 0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0,
    0x1f90c, 0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70, 0x1faff, 0x20000, 0x2fffd,
    0x30000, 0x3fffd
  };

  private DisplayWidth() {}

  public static int of(String text) {
    return columns(text, 0, text.length());
  }

  /** Returns the longest beginning of the text that takes at most this number of columns. */
  public static String cut(String text, int columns) {
    int left = columns;
    int fits = 0;
    while (fits < text.length()) {
      int end = next(text, fits);
      left -= columns(text, fits, end);
      if (left < 0) {
        break;
      }
      fits = end;
    }
    return text.substring(0, fits);
  }

  /** Returns the text in at most this number of columns, with an ellipsis if it was cut. */
  public static String shortened(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    return columns < 1 ? "" : cut(text, columns - 1).stripTrailing() + "…";
  }

  /** Returns the text, padded with spaces to this number of columns. */
  public static String padded(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - of(text)));
  }

  private static int next(String text, int at) {
    int end = at + Character.charCount(text.codePointAt(at));
    while (end < text.length() && staysWith(text, end)) {
      end += Character.charCount(text.codePointAt(end));
    }
    return end;
  }

  private static boolean staysWith(String text, int at) {
    int point = text.codePointAt(at);
    if (point >= ' ' && point < 0x7f) {
      return false;
    }
    int before = text.codePointBefore(at);
    return point == JOINER
        || before == JOINER
        || isMark(point)
        || (isSkinTone(point) && columns(before) > 0)
        || (isFlagLetter(point) && flagLettersBefore(text, at) % 2 == 1);
  }

  private static int columns(String text, int from, int to) {
    int columns = 0;
    int at = from;
    while (at < to) {
      int point = text.codePointAt(at);
      if (at > from && staysWith(text, at)) {
        int before = text.codePointBefore(at);
        columns += point == EMOJI_STYLE && before > 0x7f && columns(before) == 1 ? 1 : 0;
      } else {
        columns += columns(point);
      }
      at += Character.charCount(point);
    }
    return columns;
  }

  private static int columns(int point) {
    if (isMark(point) || point == JOINER) {
      return 0;
    }
    return isWide(point) ? 2 : 1;
  }

  private static boolean isWide(int point) {
    if (point < WIDE[0]) {
      return false;
    }
    int low = 0;
    int high = WIDE.length / 2 - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (point < WIDE[2 * middle]) {
        high = middle - 1;
      } else if (point > WIDE[2 * middle + 1]) {
        low = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  private static boolean isMark(int point) {
    if (point < 0x300) {
      return false;
    }
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> true;
      // The second and third parts of a Korean syllable.
      default -> point >= 0x1160 && point <= 0x11ff;
    };
  }

  private static boolean isSkinTone(int point) {
    return point >= 0x1f3fb && point <= 0x1f3ff;
  }

  private static boolean isFlagLetter(int point) {
    return point >= 0x1f1e6 && point <= 0x1f1ff;
  }

  private static int flagLettersBefore(String text, int at) {
    int count = 0;
    int from = at;
    while (from > 0 && isFlagLetter(text.codePointBefore(from))) {
      count++;
      from -= 2;
    }
    return count;
  }
}
