package dev.midcourse.cli.watch;

import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.cli.screen.Width;
import java.util.List;

/** The last rows: what was said last, and what the keys do or the line that is being typed. */
final class Footer {
  private final Signs signs;

  private record Hint(String key, String does) {}

  Footer(Signs signs) {
    this.signs = signs;
  }

  /**
   * Returns the row where it begins.
   *
   * @param both whether there is room for a row of notices beside the keys
   */
  int draw(Canvas canvas, Board board, boolean both) {
    int last = canvas.rows() - 1;
    boolean asks = !(board.mode() instanceof Mode.Browsing);
    if (both || (!asks && !board.notice().text().isEmpty())) {
      notice(canvas, both ? last - 1 : last, board);
    }
    if (both || asks || board.notice().text().isEmpty()) {
      keys(canvas, last, board.mode());
    }
    return both ? last - 1 : last;
  }

  private void notice(Canvas canvas, int row, Board board) {
    switch (board.mode()) {
      case Mode.Line(Purpose purpose, Typing _) ->
          hints(
              canvas,
              row,
              0,
              purpose instanceof Purpose.Filter
                  ? List.of(new Hint("Enter", "keeps it"), new Hint("Esc", "shows all"))
                  : List.of(
                      new Hint("Enter", "sends"),
                      new Hint("Ctrl-X", "editor"),
                      new Hint("Esc", "leaves it")));
      case Mode.Answering asked ->
          canvas.put(row, 0, Clean.line(asked.question()), Style.of(Ink.YELLOW).asBold());
      case Mode.Browsing() -> said(canvas, row, board.notice());
      case Mode.Log(int _) -> said(canvas, row, board.notice());
      case Mode.Pending(int _) -> said(canvas, row, board.notice());
      case Mode.Help() -> said(canvas, row, board.notice());
      case Mode.Stopping(String _) -> said(canvas, row, board.notice());
    }
  }

  private static void said(Canvas canvas, int row, Board.Notice notice) {
    canvas.put(row, 0, notice.text(), Style.of(notice.ink()));
  }

  private void keys(Canvas canvas, int row, Mode mode) {
    switch (mode) {
      case Mode.Browsing() ->
          hints(
              canvas,
              row,
              0,
              List.of(
                  new Hint("s", "steer"),
                  new Hint("i", "interrupt"),
                  new Hint("f", "follow-up"),
                  new Hint("x", "stop"),
                  new Hint("?", "help"),
                  new Hint("q", "quit"),
                  new Hint("Enter", "log"),
                  new Hint("p", "pending"),
                  new Hint("a", "answer"),
                  new Hint("r", "restart"),
                  new Hint("/", "filter")));
      case Mode.Log(int _) ->
          hints(
              canvas,
              row,
              0,
              List.of(
                  new Hint("j k", "scroll"),
                  new Hint("Space b", "pages"),
                  new Hint("g G", "ends"),
                  new Hint("Esc", "back")));
      case Mode.Pending(int _) ->
          hints(
              canvas,
              row,
              0,
              List.of(
                  new Hint("w", "withdraw"),
                  new Hint("e", "edit"),
                  new Hint("m", "promote"),
                  new Hint("Esc", "back")));
      case Mode.Help() -> hints(canvas, row, 0, List.of(new Hint("any key", "back")));
      case Mode.Line line -> line(canvas, row, line);
      case Mode.Stopping(String run) -> {
        int at =
            canvas.put(
                row, 0, canvas.columns() - 22, "Stop " + run + "?", Style.of(Ink.RED).asBold());
        hints(canvas, row, at + 2, List.of(new Hint("y", "stops it"), new Hint("n", "no")));
      }
      case Mode.Answering _ ->
          hints(
              canvas,
              row,
              0,
              List.of(
                  new Hint("y", "allow"),
                  new Hint("n", "deny"),
                  new Hint("t", "answer in words"),
                  new Hint("Esc", "later")));
    }
  }

  /** Those that fit, whole. */
  private static void hints(Canvas canvas, int row, int from, List<Hint> hints) {
    int at = from;
    for (Hint hint : hints) {
      if (at + hint.key().length() + 1 + hint.does().length() > canvas.columns()) {
        return;
      }
      at = canvas.put(row, at, hint.key(), Style.BOLD) + 1;
      at = canvas.put(row, at, hint.does(), Style.DIM) + 2;
    }
  }

  /** The end of a line that is too long for the screen is what is seen of it. */
  private void line(Canvas canvas, int row, Mode.Line line) {
    String label = line.purpose().label();
    int half = canvas.columns() / 2;
    int at = canvas.put(row, 0, half, label + " " + signs.begins() + " ", Style.BOLD);
    String before = shown(line.typing().text().substring(0, line.typing().at()));
    String behind = shown(line.typing().text().substring(line.typing().at()));
    int room = canvas.columns() - at - 1;
    int cut = 0;
    while (Width.of(before.substring(cut)) > room) {
      cut += Character.charCount(before.codePointAt(cut));
    }
    at = canvas.put(row, at, before.substring(cut), Style.PLAIN);
    canvas.put(row, at, Width.cut(behind, canvas.columns() - at), Style.PLAIN);
    canvas.showCursor(row, at);
  }

  private static String shown(String text) {
    return Clean.line(text);
  }
}
