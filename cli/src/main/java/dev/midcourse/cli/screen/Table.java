package dev.midcourse.cli.screen;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows under a heading, aligned by what a terminal shows. On a terminal it is never wider than the
 * terminal: first the least important columns go, then the one that may shrink gets shorter. In a
 * pipe everything is there and whole.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int NARROWEST = 12;

  /** How a column behaves. */
  public enum Kind {
    /** Always shown in full. */
    WHOLE,
    /** Numbers: shown in full, aligned right. */
    NUMBER,
    /** Gets what the others leave. */
    SHRINKS
  }

  /**
   * A column.
   *
   * @param rank the highest goes first when there is no room; 0 stays
   */
  public record Column(String name, Kind kind, int rank) {
    public static Column whole(String name) {
      return new Column(name, Kind.WHOLE, 0);
    }

    public static Column shrinks(String name) {
      return new Column(name, Kind.SHRINKS, 0);
    }
  }

  /** What stands in a place: clean text and its colour. */
  public record Cell(String text, Ink ink) {
    public static Cell of(String text) {
      return new Cell(text, Ink.PLAIN);
    }
  }

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  public Table(List<Column> columns) {
    this.columns = List.copyOf(columns);
  }

  /** The cells in the order of the columns; their text is made clean. */
  public void row(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells.size() + " cells, " + columns.size() + " columns");
    }
    List<Cell> clean = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      clean.add(new Cell(Clean.line(cell.text()), cell.ink()));
    }
    rows.add(clean);
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  public void print(Page page) {
    int[] widths = widths();
    boolean[] shown = new boolean[columns.size()];
    java.util.Arrays.fill(shown, true);
    if (page.terminal()) {
      fit(widths, shown, page.columns());
    }
    StringBuilder out = new StringBuilder();
    List<Cell> heading = new ArrayList<>();
    for (Column column : columns) {
      heading.add(new Cell(column.name(), Ink.DIM));
    }
    append(out, heading, widths, shown, page);
    for (List<Cell> row : rows) {
      append(out, row, widths, shown, page);
    }
    page.stream().print(out);
    page.stream().flush();
  }

  private int[] widths() {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).name().length();
    }
    for (List<Cell> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Width.of(row.get(i).text()));
      }
    }
    return widths;
  }

  private void fit(int[] widths, boolean[] shown, int room) {
    while (total(widths, shown, true) > room) {
      int least = least(shown);
      if (least < 0) {
        break;
      }
      shown[least] = false;
    }
    int over = total(widths, shown, false) - room;
    for (int i = 0; i < widths.length && over > 0; i++) {
      if (shown[i] && columns.get(i).kind() == Kind.SHRINKS) {
        int width = Math.max(Math.min(NARROWEST, widths[i]), widths[i] - over);
        over -= widths[i] - width;
        widths[i] = width;
      }
    }
  }

  private int total(int[] widths, boolean[] shown, boolean shrunk) {
    int total = -GAP.length();
    for (int i = 0; i < widths.length; i++) {
      if (shown[i]) {
        boolean shrinks = shrunk && columns.get(i).kind() == Kind.SHRINKS;
        total += GAP.length() + (shrinks ? Math.min(NARROWEST, widths[i]) : widths[i]);
      }
    }
    return total;
  }

  private int least(boolean[] shown) {
    int least = -1;
    for (int i = 0; i < shown.length; i++) {
      int rank = columns.get(i).rank();
      if (shown[i] && rank > 0 && (least < 0 || rank > columns.get(least).rank())) {
        least = i;
      }
    }
    return least;
  }

  private void append(StringBuilder out, List<Cell> row, int[] widths, boolean[] shown, Page page) {
    StringBuilder line = new StringBuilder();
    int pending = 0;
    for (int i = 0; i < widths.length; i++) {
      if (!shown[i]) {
        continue;
      }
      String text = Width.shortened(row.get(i).text(), widths[i]);
      int gap = widths[i] - Width.of(text);
      boolean right = columns.get(i).kind() == Kind.NUMBER;
      if (!text.isEmpty()) {
        line.append(" ".repeat(pending + (right ? gap : 0)));
        line.append(page.paint(row.get(i).ink(), text));
        pending = right ? 0 : gap;
      } else {
        pending += gap;
      }
      pending += GAP.length();
    }
    out.append(line).append('\n');
  }
}
