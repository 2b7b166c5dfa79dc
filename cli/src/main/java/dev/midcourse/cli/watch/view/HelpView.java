package dev.midcourse.cli.watch.view;

import java.util.List;

/** Draws the list of keys in as many columns as needed. */
final class HelpView {
  private static final int KEY = 8;
  private static final int COLUMN = 36;

  private record Line(String keys, String does) {}

  private static final List<Line> LINES =
      List.of(
          new Line("j k", "select a run"),
          new Line("g G", "first, last run"),
          new Line("Enter", "full log"),
          new Line("s", "steer"),
          new Line("e", "steer in $EDITOR"),
          new Line("i", "interrupt"),
          new Line("f", "follow-up"),
          new Line("a", "answer"),
          new Line("A", "approvals of chats"),
          new Line("d", "answer or dismiss"),
          new Line("p", "pending steers"),
          new Line("x", "stop"),
          new Line("r", "restart"),
          new Line("/", "filter runs"),
          new Line("l", "autopilot loops"),
          new Line("S N", "loop: standing, next call"),
          new Line("K", "loop: skip the wait"),
          new Line("F d u n", "loop: findings"),
          new Line("c p", "loop: go on, pause"),
          new Line("L o", "loop: land, open change"),
          new Line("Ctrl-X", "edit in $EDITOR"),
          new Line("Ctrl-L", "redraw"),
          new Line("q Ctrl-C", "quit, runs go on"));

  private HelpView() {}

  static void draw(Canvas canvas, int top, int bottom) {
    int rows = Math.max(1, bottom - top);
    int half = (LINES.size() + 1) / 2;
    int perColumn = rows >= LINES.size() ? LINES.size() : Math.min(rows, half);
    int width = Math.min(COLUMN, canvas.columns() / 2);
    for (int i = 0; i < LINES.size(); i++) {
      int row = top + i % perColumn;
      int column = 2 + i / perColumn * width;
      canvas.put(row, column, KEY, LINES.get(i).keys(), Style.BOLD);
      int from = column + KEY + 2;
      int room = perColumn == LINES.size() ? canvas.columns() : width - KEY - 3;
      canvas.put(row, from, room, LINES.get(i).does(), Style.PLAIN);
    }
  }
}
