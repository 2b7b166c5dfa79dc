package dev.midcourse.agents.command;

/** Keeps the end of a text, at a constant average cost for each line. */
final class TextTail {
  private static final int MAX_LENGTH = 4_000;

  /**
   * The length at which old text is cut off. Cutting for every line would move the rest each time.
   */
  private static final int CUT_AT = 16 * MAX_LENGTH;

  private final StringBuilder lines = new StringBuilder();

  void add(String line) {
    if (!lines.isEmpty()) {
      lines.append('\n');
    }
    lines.append(line);
    if (lines.length() > CUT_AT) {
      lines.delete(0, beginning());
      lines.trimToSize();
    }
  }

  String text() {
    return lines.substring(beginning());
  }

  void clear() {
    lines.setLength(0);
    lines.trimToSize();
  }

  /** The start of the last 4,000 characters, moved so that no surrogate pair is split. */
  private int beginning() {
    int from = Math.max(0, lines.length() - MAX_LENGTH);
    return from > 0 && Character.isLowSurrogate(lines.charAt(from)) ? from + 1 : from;
  }
}
