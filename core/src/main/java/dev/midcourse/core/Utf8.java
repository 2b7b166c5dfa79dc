package dev.midcourse.core;

/**
 * Measures the UTF-8 form of a text without encoding the text, because every stored text is checked
 * at every read.
 */
public final class Utf8 {
  private static final int MAX_BYTES_OF_A_CHAR = 3;

  private Utf8() {}

  /**
   * Returns whether the text has more than this number of bytes in UTF-8. Counts the bytes only if
   * the number of characters does not decide the answer.
   */
  public static boolean longerThan(String text, int bytes) {
    return text.length() > bytes / MAX_BYTES_OF_A_CHAR && length(text) > bytes;
  }

  /**
   * Returns the number of bytes of the text in UTF-8. A lone surrogate counts as one byte, because
   * the encoder writes one byte for it.
   */
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

  /** Returns whether every character is complete, so that each surrogate has its other half. */
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
