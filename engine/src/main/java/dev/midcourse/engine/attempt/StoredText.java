package dev.midcourse.engine.attempt;

/** Shortens texts of an agent to the length that the ledger stores. */
public final class StoredText {
  private static final int MAX_LENGTH = 64 * 1024;

  private StoredText() {}

  /** The beginning of the text. */
  public static String cut(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "\n" + note(text);
  }

  /** The beginning and the end of the text: the result of a long answer is at its end. */
  public static String cutMiddle(String text) {
    int half = MAX_LENGTH / 2;
    return text.length() <= MAX_LENGTH
        ? text
        : text.substring(0, half) + "\n" + note(text) + "\n" + text.substring(text.length() - half);
  }

  private static String note(String text) {
    return "[cut: " + text.length() + " characters in all]";
  }
}
