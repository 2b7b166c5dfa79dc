package dev.midcourse.cli.screen;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into rows, between words where possible. */
public final class TextWrap {
  private TextWrap() {}

  /**
   * Returns at least one row and at most {@code max}; the last row has an ellipsis if text is left
   * out.
   */
  public static List<String> rows(String text, int columns, int max) {
    List<String> rows = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String left = line.stripTrailing();
      do {
        if (rows.size() == max) {
          rows.set(max - 1, ended(rows.getLast(), columns));
          return rows;
        }
        String row = row(left, columns);
        rows.add(row.stripTrailing());
        left = left.substring(row.length()).stripLeading();
      } while (!left.isEmpty());
    }
    return rows.isEmpty() ? List.of("") : rows;
  }

  private static String ended(String row, int columns) {
    return DisplayWidth.cut(row, columns - 2).stripTrailing() + " …";
  }

  private static String row(String text, int columns) {
    String fits = DisplayWidth.cut(text, Math.max(2, columns));
    if (fits.length() == text.length()) {
      return fits;
    }
    int space = fits.lastIndexOf(' ');
    boolean far = space < fits.length() / 2;
    return text.charAt(fits.length()) == ' ' || far ? fits : fits.substring(0, space + 1);
  }
}
