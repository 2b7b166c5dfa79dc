package dev.midcourse.core;

/**
 * What can be known of a text's UTF-8 without making it: every stored text is checked at every
 * read.
 */
public final class Utf8 {
  private static final int MAX_BYTES_OF_A_CHAR = 3;

  private Utf8() {}

  /** Whether the text is longer than this in UTF-8; counts only where its length leaves it open. */
  public static boolean longerThan(String text, int bytes) {
    return text.length() > bytes / MAX_BYTES_OF_A_CHAR && length(text) > bytes;
  }

  /** How many bytes the text has; half a surrogate pair counts as one, as it is written. */
  public static int length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (isPair(text, i)) {
        bytes += 4;
        i++;
      } else {
        bytes += Character.isSurrogate(c) ? 1 : MAX_BYTES_OF_A_CHAR;
      }
    }
    return bytes;
  }

  /** Whether every character is whole: no surrogate stands without its other half. */
  public static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!isPair(text, i)) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static boolean isPair(String text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }
}
