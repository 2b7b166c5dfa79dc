package dev.midcourse.ledger.sql.jdbc;

/**
 * Makes text storable. Replaces each NUL and each unpaired surrogate, which an agent may print, by
 * the replacement character, because the stores reject them. All other text stays as it is.
 */
public final class SqlTexts {
  /** Sorts after every character of an id, so an index can find the ids with a prefix. */
  public static final char AFTER_ALL_IDS = '\u007F';

  private static final char REPLACEMENT = '\uFFFD';

  private SqlTexts() {}

  public static String storable(String text) {
    int bad = firstBad(text, 0);
    if (bad < 0) {
      return text;
    }
    StringBuilder cleaned = new StringBuilder(text);
    for (int at = bad; at >= 0; at = firstBad(text, at + 1)) {
      cleaned.setCharAt(at, REPLACEMENT);
    }
    return cleaned.toString();
  }

  private static int firstBad(String text, int from) {
    for (int at = from; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\0' || Character.isLowSurrogate(c)) {
        return at;
      }
      if (Character.isHighSurrogate(c)) {
        boolean paired = at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        if (!paired) {
          return at;
        }
        at++;
      }
    }
    return -1;
  }
}
