package dev.midcourse.cli.screen;

/**
 * Makes text from outside safe to show: it cannot move the cursor, change colours, turn the reading
 * direction or hide text. A visible sign replaces each removed character.
 */
public final class TextSanitizer {
  private static final char UNKNOWN = '\ufffd';
  private static final char JOINER = '\u200d';

  private TextSanitizer() {}

  /** Returns the text on one line; line ends and tabs become spaces. */
  public static String line(String text) {
    return isClean(text) ? text : cleaned(text, false);
  }

  /** Returns the text with its line feeds; tabs become spaces. */
  public static String lines(String text) {
    return isClean(text) ? text : cleaned(text, true);
  }

  private static boolean isClean(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static String cleaned(String text, boolean keepLines) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      int length = Character.charCount(point);
      if (point == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
        at++;
        continue;
      }
      if (point == '\n') {
        out.append(keepLines ? '\n' : ' ');
      } else if (point == '\t') {
        out.append(keepLines ? "    " : " ");
      } else if (point < ' ') {
        out.append((char) (0x2400 + point));
      } else if (point == 0x7f) {
        out.append('\u2421');
      } else if (isHarmful(point)) {
        out.append(UNKNOWN);
      } else {
        out.appendCodePoint(point);
      }
      at += length;
    }
    return out.toString();
  }

  private static boolean isHarmful(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.FORMAT -> point != JOINER && !isTag(point);
      default -> false;
    };
  }

  /** Returns whether the code point is one of the invisible letters that form some flags. */
  private static boolean isTag(int point) {
    return point >= 0xE0020 && point <= 0xE007F;
  }
}
