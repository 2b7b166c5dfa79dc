package dev.midcourse.core.prompt;

/** Writes the answer of an agent for people: everything but its {@code <internal>} parts. */
public final class AnswerFormat {
  private static final String OPENING = "<internal>";
  private static final String CLOSING = "</internal>";

  /**
   * Spaces of the Unicode category Zs, line separators, and the byte order mark, as trim() of
   * JavaScript has.
   */
  private static final String TRIMMED =
      "\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
          + "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

  private AnswerFormat() {}

  /**
   * Returns the text without each {@code <internal>...</internal>} part and without white space
   * around it. A part ends at the first closing tag; an opening tag without one stays. The time is
   * linear in the length of the text.
   */
  public static String stripInternalTags(String text) {
    StringBuilder kept = new StringBuilder(text.length());
    int at = 0;
    while (true) {
      int open = text.indexOf(OPENING, at);
      int close = open < 0 ? -1 : text.indexOf(CLOSING, open + OPENING.length());
      if (close < 0) {
        return trim(kept.append(text, at, text.length()));
      }
      kept.append(text, at, open);
      at = close + CLOSING.length();
    }
  }

  private static String trim(CharSequence text) {
    int from = 0;
    int to = text.length();
    while (from < to && TRIMMED.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (to > from && TRIMMED.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return text.subSequence(from, to).toString();
  }
}
