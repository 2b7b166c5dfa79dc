package dev.midcourse.core.text;

/**
 * Writes a text as a block of code in Markdown. The text stays as it is, and nothing in it ends the
 * block or becomes markup: the fence is longer than any run of backquotes in the text.
 */
public final class CodeFence {
  private static final char MARK = '`';
  private static final int MIN_MARKS = 3;

  private CodeFence() {}

  public static String of(String text) {
    String fence = Character.toString(MARK).repeat(Math.max(MIN_MARKS, longestRun(text) + 1));
    return fence + "\n" + text + "\n" + fence;
  }

  private static int longestRun(String text) {
    int longest = 0;
    int run = 0;
    for (int at = 0; at < text.length(); at++) {
      run = text.charAt(at) == MARK ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}
