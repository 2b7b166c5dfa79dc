package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.TextSanitizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A screen of cells. Text never leaves its row or its column range, and a character of two columns
 * is written completely or not at all.
 */
public final class Canvas {

  /** One cell. The second half of a wide character is a cell without text. */
  record Cell(String text, Style style) {
    static final Cell BLANK = new Cell(" ", Style.PLAIN);
  }

  /** The position of the visible cursor. */
  record Spot(int row, int column) {
    static final Spot HIDDEN = new Spot(-1, -1);
  }

  private final int rows;
  private final int columns;
  private final Cell[] cells;
  private Spot cursor = Spot.HIDDEN;

  Canvas(int rows, int columns) {
    this.rows = rows;
    this.columns = columns;
    this.cells = new Cell[rows * columns];
    Arrays.fill(cells, Cell.BLANK);
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  Cell cell(int row, int column) {
    return cells[row * columns + column];
  }

  Spot cursor() {
    return cursor;
  }

  void showCursor(int row, int column) {
    cursor = new Spot(row, Math.min(column, columns - 1));
  }

  /**
   * Writes text into at most {@code room} columns, shortened if necessary; returns the next column.
   */
  int put(int row, int column, int room, String text, Style style) {
    int space = Math.min(room, columns - column);
    if (row < 0 || row >= rows || space <= 0) {
      return column;
    }
    String shown = DisplayWidth.shortened(TextSanitizer.line(text), space);
    int at = column;
    int from = 0;
    while (from < shown.length()) {
      String one = first(shown.substring(from));
      int width = DisplayWidth.of(one);
      set(row, at, new Cell(one, style));
      for (int i = 1; i < width; i++) {
        set(row, at + i, new Cell("", style));
      }
      at += width;
      from += one.length();
    }
    return at;
  }

  int put(int row, int column, String text, Style style) {
    return put(row, column, columns - column, text, style);
  }

  /** Fills the rest of a row with the same text and style in each cell. */
  void fill(int row, int from, String text, Style style) {
    for (int column = from; column < columns; column++) {
      set(row, column, new Cell(text, style));
    }
  }

  private void set(int row, int column, Cell cell) {
    cells[row * columns + column] = cell;
  }

  /** Returns the first character with its combining marks. */
  private static String first(String text) {
    int columns =
        Math.max(1, DisplayWidth.of(text.substring(0, Character.charCount(text.codePointAt(0)))));
    String one = DisplayWidth.cut(text, columns);
    return one.isEmpty() ? DisplayWidth.cut(text, columns + 1) : one;
  }

  /** Returns the visible text, row by row, without trailing blanks. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(rows);
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        line.append(cell(row, column).text());
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
