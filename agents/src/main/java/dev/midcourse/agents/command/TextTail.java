package dev.midcourse.agents.command;

/** The last lines of something, of however many and at the same cost for each. */
final class TextTail {
  private static final int MAX_LENGTH = 4_000;

  /** What is too old is cut off only now and then: to move the rest for every line takes long. */
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

  /** Where the last characters begin, none of them half. */
  private int beginning() {
    int from = Math.max(0, lines.length() - MAX_LENGTH);
    return from > 0 && Character.isLowSurrogate(lines.charAt(from)) ? from + 1 : from;
  }
}
