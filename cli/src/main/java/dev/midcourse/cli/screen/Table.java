package dev.midcourse.cli.screen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Prints rows under a heading, aligned by display width. A long table is printed in parts: the
 * first part decides the columns, and later parts can only make them wider. On a terminal the table
 * fits the width: first columns without a value are left out (until a later part has one), then the
 * least important ones, then the column of kind SHRINKS is cut, and last the column of kind ID. In
 * a pipe the same is done if COLUMNS is set; else nothing is left out or cut.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int MIN_WIDTH = 12;

  /** The layout of a column. */
  public enum Kind {
    /** Always shown in full. */
    WHOLE,
    /** An id: its end is cut if nothing else gives room, since its beginning still names it. */
    ID,
    /** Numbers: shown in full, aligned right. */
    NUMBER,
    /** Gets the width that the other columns leave. */
    SHRINKS
  }

  /**
   * A column.
   *
   * @param rank the highest goes first when there is no room; 0 stays
   */
  public record Column(String name, Kind kind, int rank) {
    public static Column id(String name) {
      return new Column(name, Kind.ID, 0);
    }

    public static Column whole(String name) {
      return new Column(name, Kind.WHOLE, 0);
    }

    public static Column shrinks(String name) {
      return new Column(name, Kind.SHRINKS, 0);
    }
  }

  /** A cell: sanitized text and its colour. */
  public record Cell(String text, TextColor color) {
    public static Cell of(String text) {
      return new Cell(text, TextColor.PLAIN);
    }
  }

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();
  private final int[] widest;
  private final boolean[] shown;

  /** The columns that are left out because no row had a value there. */
  private final boolean[] empty;

  private boolean begun;

  public Table(List<Column> columns) {
    this.columns = List.copyOf(columns);
    this.widest = columns.stream().mapToInt(column -> column.name().length()).toArray();
    this.shown = new boolean[columns.size()];
    Arrays.fill(shown, true);
    this.empty = new boolean[columns.size()];
  }

  /** Adds a row with its cells in the order of the columns. The text is sanitized. */
  public void row(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells.size() + " cells, " + columns.size() + " columns");
    }
    List<Cell> clean = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      clean.add(new Cell(TextSanitizer.line(cell.text()), cell.color()));
    }
    rows.add(clean);
  }

  /** Returns whether no row was ever added. */
  public boolean isEmpty() {
    return rows.isEmpty() && !begun;
  }

  /** Prints the rows that were added since the last call. The heading precedes the first row. */
  public void print(TerminalOutput page) {
    if (rows.isEmpty()) {
      return;
    }
    widen();
    showFilled();
    if (!begun && page.bounded()) {
      choose(page.columns());
    }
    int[] widths = widest.clone();
    if (page.bounded()) {
      fit(widths, page.columns());
    }
    StringBuilder out = new StringBuilder();
    if (!begun) {
      append(out, heading(), widths, page);
    }
    for (List<Cell> row : rows) {
      append(out, row, widths, page);
    }
    begun = true;
    rows.clear();
    page.stream().print(out);
    page.stream().flush();
  }

  private List<Cell> heading() {
    return columns.stream().map(column -> new Cell(column.name(), TextColor.DIM)).toList();
  }

  private void widen() {
    for (List<Cell> row : rows) {
      for (int i = 0; i < widest.length; i++) {
        widest[i] = Math.max(widest[i], DisplayWidth.of(row.get(i).text()));
      }
    }
  }

  /** Leaves out the columns that do not fit, those without a value first. */
  private void choose(int room) {
    for (int i = 0; i < shown.length && total(widest, true) > room; i++) {
      shown[i] = hasValue(i);
      empty[i] = !shown[i];
    }
    while (total(widest, true) > room) {
      int least = least();
      if (least < 0) {
        return;
      }
      shown[least] = false;
    }
  }

  /** Shows the columns again that were left out because they had no value. */
  private void showFilled() {
    for (int i = 0; i < shown.length; i++) {
      if (empty[i] && hasValue(i)) {
        shown[i] = true;
        empty[i] = false;
      }
    }
  }

  private boolean hasValue(int column) {
    return rows.stream().anyMatch(row -> !row.get(column).text().isEmpty());
  }

  private void fit(int[] widths, int room) {
    cut(Kind.SHRINKS, widths, room);
    cut(Kind.ID, widths, room);
  }

  private void cut(Kind kind, int[] widths, int room) {
    int over = total(widths, false) - room;
    for (int i = 0; i < widths.length && over > 0; i++) {
      if (shown[i] && columns.get(i).kind() == kind) {
        int width = Math.max(Math.min(MIN_WIDTH, widths[i]), widths[i] - over);
        over -= widths[i] - width;
        widths[i] = width;
      }
    }
  }

  private int total(int[] widths, boolean shrunk) {
    int total = -GAP.length();
    for (int i = 0; i < widths.length; i++) {
      if (shown[i]) {
        boolean shrinks = shrunk && columns.get(i).kind() == Kind.SHRINKS;
        total += GAP.length() + (shrinks ? Math.min(MIN_WIDTH, widths[i]) : widths[i]);
      }
    }
    return total;
  }

  private int least() {
    int least = -1;
    for (int i = 0; i < shown.length; i++) {
      int rank = columns.get(i).rank();
      if (shown[i] && rank > 0 && (least < 0 || rank > columns.get(least).rank())) {
        least = i;
      }
    }
    return least;
  }

  private void append(StringBuilder out, List<Cell> row, int[] widths, TerminalOutput page) {
    StringBuilder line = new StringBuilder();
    int pending = 0;
    for (int i = 0; i < widths.length; i++) {
      if (!shown[i]) {
        continue;
      }
      String text = DisplayWidth.shortened(row.get(i).text(), widths[i]);
      int gap = widths[i] - DisplayWidth.of(text);
      boolean right = columns.get(i).kind() == Kind.NUMBER;
      if (!text.isEmpty()) {
        line.append(" ".repeat(pending + (right ? gap : 0)));
        line.append(page.paint(row.get(i).color(), text));
        pending = right ? 0 : gap;
      } else {
        pending += gap;
      }
      pending += GAP.length();
    }
    out.append(line).append('\n');
  }
}
