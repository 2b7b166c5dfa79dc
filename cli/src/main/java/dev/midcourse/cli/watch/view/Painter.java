package dev.midcourse.cli.watch.view;

/**
 * Turns one screen into the next. Only cells that differ are written, so that the screen does not
 * flicker and a slow connection carries few bytes.
 */
public final class Painter {
  private static final String HIDE_CURSOR = "\u001b[?25l";
  private static final String SHOW_CURSOR = "\u001b[?25h";

  private final boolean coloured;

  public Painter(boolean coloured) {
    this.coloured = coloured;
  }

  /** Returns the bytes that draw the complete screen, whatever the terminal shows. */
  public String whole(Canvas next) {
    return "\u001b[0m\u001b[2J" + change(new Canvas(next.rows(), next.columns()), next);
  }

  /**
   * Returns the bytes for the cells that differ; empty if no cell differs. Both screens must have
   * the same size.
   */
  public String change(Canvas before, Canvas next) {
    StringBuilder out = new StringBuilder();
    for (int row = 0; row < next.rows(); row++) {
      row(before, next, row, out);
    }
    if (out.isEmpty() && before.cursor().equals(next.cursor())) {
      return "";
    }
    Canvas.Spot cursor = next.cursor();
    if (cursor.equals(Canvas.Spot.HIDDEN)) {
      return HIDE_CURSOR + out + "\u001b[0m";
    }
    return HIDE_CURSOR + out + "\u001b[0m" + at(cursor.row(), cursor.column()) + SHOW_CURSOR;
  }

  private void row(Canvas before, Canvas next, int row, StringBuilder out) {
    int cursor = -1; // the column of the terminal's cursor; -1 if it is not certain
    Style on = Style.PLAIN;
    boolean styled = false;
    for (int column = 0; column < next.columns(); column++) {
      Canvas.Cell cell = next.cell(row, column);
      if (cell.text().isEmpty() || !differs(before, next, row, column)) {
        continue;
      }
      if (cursor != column) {
        out.append(at(row, column));
      }
      if (!styled || !cell.style().equals(on)) {
        out.append(cell.style().code(coloured));
        on = cell.style();
        styled = true;
      }
      out.append(cell.text());
      // Terminals disagree about the width of rare characters, so the next cell gets an absolute
      // position.
      cursor = isCertain(cell.text()) ? column + 1 : -1;
    }
  }

  /**
   * Returns whether the cell differs. A wide character also differs if only its second half does.
   */
  private static boolean differs(Canvas before, Canvas next, int row, int column) {
    boolean wide = column + 1 < next.columns() && next.cell(row, column + 1).text().isEmpty();
    return !next.cell(row, column).equals(before.cell(row, column))
        || (wide && !next.cell(row, column + 1).equals(before.cell(row, column + 1)))
        || (column > 0 && before.cell(row, column).text().isEmpty());
  }

  private static boolean isCertain(String text) {
    return text.length() == 1 && text.charAt(0) < 0x2e80;
  }

  private static String at(int row, int column) {
    return "\u001b[" + (row + 1) + ";" + (column + 1) + "H";
  }
}
