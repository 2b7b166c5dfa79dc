package dev.midcourse.core.chat.outbound;

/**
 * The name of a file as people see it: one file name, without folders and control characters, of
 * bounded length.
 */
public record FileName(String value) {
  private static final int MAX_LENGTH = 100;
  private static final String FALLBACK = "file";

  /**
   * Returns the last part of the text with {@code _} for each character that is not safe in a file
   * name. A name does not begin with a dot. A long name keeps its end, which has the type.
   */
  public static FileName safe(String text) {
    String last = text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
    StringBuilder name = new StringBuilder();
    last.codePoints().map(FileName::safe).forEach(name::appendCodePoint);
    String plain = name.toString().strip().replaceFirst("^\\.+", "");
    int from = Math.max(0, plain.length() - MAX_LENGTH);
    if (from > 0 && Character.isLowSurrogate(plain.charAt(from))) {
      from++;
    }
    String bounded = plain.substring(from);
    return new FileName(bounded.isEmpty() ? FALLBACK : bounded);
  }

  private static int safe(int character) {
    boolean known =
        Character.isLetterOrDigit(character)
            || " ._-()+,=@".indexOf(character) >= 0
            || Character.getType(character) == Character.NON_SPACING_MARK;
    return known ? character : '_';
  }

  @Override
  public String toString() {
    return value;
  }
}
