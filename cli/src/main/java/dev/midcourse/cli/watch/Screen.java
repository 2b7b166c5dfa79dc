package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.cli.screen.Width;
import dev.midcourse.cli.screen.Wrap;
import dev.midcourse.cli.story.Money;
import dev.midcourse.cli.story.StateInk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws the board: a pure function of what is known, the size of the screen and the time. */
final class Screen {
  private static final int LEAST_ROWS = 6;
  private static final int LEAST_COLUMNS = 30;
  private static final int ROWS_FOR_A_NOTICE = 12;
  private static final int MARGIN = 7;
  private static final int MOST_ROWS_OF_AN_ENTRY = 4;

  private final Signs signs;

  Screen(Signs signs) {
    this.signs = signs;
  }

  Canvas draw(Board board, int rows, int columns, Instant now) {
    Canvas canvas = new Canvas(rows, columns);
    if (rows < LEAST_ROWS || columns < LEAST_COLUMNS) {
      canvas.put(0, 0, "too small for the view; q leaves", Style.PLAIN);
      return canvas;
    }
    header(canvas, board);
    int bottom = new Footer(signs).draw(canvas, board, rows >= ROWS_FOR_A_NOTICE);
    switch (board.mode()) {
      case Mode.Help() -> Help.draw(canvas, 1, bottom);
      case Mode.Log(int back) -> log(canvas, board, back, bottom);
      case Mode.Browsing() -> both(canvas, board, bottom, now);
      case Mode.Pending(int _) -> both(canvas, board, bottom, now);
      case Mode.Line _ -> both(canvas, board, bottom, now);
      case Mode.Stopping(String _) -> both(canvas, board, bottom, now);
      case Mode.Answering _ -> both(canvas, board, bottom, now);
    }
    return canvas;
  }

  private void header(Canvas canvas, Board board) {
    canvas.put(0, 0, "midcourse", Style.BOLD);
    int at = canvas.put(0, 11, counts(board), Style.PLAIN);
    long needing = board.runs().stream().filter(run -> run.text("needs").isPresent()).count();
    if (needing > 0) {
      String text = needing == 1 ? "1 needs you" : needing + " need you";
      at = canvas.put(0, at, " " + signs.dot() + " " + text, Style.of(Ink.YELLOW).asBold());
    }
    String right = "";
    if (board.away()) {
      right = signs.attention() + " the hub is away; waiting for it";
    } else if (!board.filter().isEmpty()) {
      right = "filter: " + Clean.line(board.filter());
    }
    int room = canvas.columns() - at - 2;
    String shown = Width.shortened(right, Math.max(0, room));
    canvas.put(0, canvas.columns() - Width.of(shown), shown, Style.of(Ink.YELLOW));
  }

  private String counts(Board board) {
    List<String> counts = new ArrayList<>();
    for (String state : List.of("running", "queued")) {
      long count = board.runs().stream().filter(run -> run.state().equals(state)).count();
      if (count > 0) {
        counts.add(count + " " + state);
      }
    }
    if (board.more() > 0) {
      counts.add(Money.count(board.more()) + " more not shown");
    }
    String none = board.loaded() ? "nothing runs" : "asking the hub";
    return counts.isEmpty() ? none : String.join(" " + signs.dot() + " ", counts);
  }

  /** Runs above, the chosen one below; the runs get what they need, up to two fifths. */
  private void both(Canvas canvas, Board board, int bottom, Instant now) {
    List<RunInfo> runs = board.visible();
    if (runs.isEmpty()) {
      nothing(canvas, board);
      return;
    }
    int room = bottom - 1;
    int above = Math.clamp(runs.size(), 1, Math.max(2, room * 2 / 5));
    new RunRows(signs, now).draw(canvas, 1, above, runs, board.chosen());
    board.chosenRun().ifPresent(run -> chosen(canvas, board, run, 1 + above, bottom, now));
  }

  private static void nothing(Canvas canvas, Board board) {
    if (!board.loaded()) {
      return;
    }
    boolean filtered = !board.filter().isEmpty();
    canvas.put(2, 2, filtered ? "no run matches the filter" : "no runs yet", Style.BOLD);
    canvas.put(
        3,
        2,
        filtered ? "Esc shows all" : "in another window: midcourse run --detach \"what to do\"",
        Style.DIM);
  }

  private void chosen(Canvas canvas, Board board, RunInfo run, int top, int bottom, Instant now) {
    title(canvas, top, run);
    int at = top + 1;
    if (board.mode() instanceof Mode.Pending(int index)) {
      new Pending(signs, now).draw(canvas, at, bottom, board.about().open(), index);
      return;
    }
    if (!board.about().asks().isEmpty() && at < bottom) {
      String question = board.about().asks().getFirst().text("question").orElse("");
      String text = signs.attention() + " asks: " + Clean.line(question);
      String hint = "  a answers";
      int end = canvas.put(at, 1, canvas.columns() - hint.length() - 1, text, yellow());
      canvas.put(at, end, hint, Style.DIM);
      at++;
    }
    Instant began = run.at("created_at").orElse(now);
    List<Timeline.Entry> entries = Timeline.inShort(board.about().events(), began, signs);
    newest(canvas, at, bottom, entries, MOST_ROWS_OF_AN_ENTRY);
  }

  private static Style yellow() {
    return Style.of(Ink.YELLOW).asBold();
  }

  private void title(Canvas canvas, int row, RunInfo run) {
    canvas.fill(row, 0, signs.rule(), Style.DIM);
    int at = canvas.put(row, 2, " " + run.id() + " ", Style.BOLD);
    at = canvas.put(row, at, run.state() + " ", Style.of(StateInk.of(run.state())));
    String money = Money.of(run.dollars());
    String facts =
        signs.dot()
            + " turn "
            + run.number("turn")
            + (run.number("attempt") > 1 ? ", attempt " + run.number("attempt") : "")
            + (money.isEmpty() ? "" : " " + signs.dot() + " " + money)
            + " ";
    at = canvas.put(row, at, canvas.columns() - at - 2, facts, Style.PLAIN);
    String prompt = signs.dot() + " " + Clean.line(run.prompt());
    int room = canvas.columns() - at - 3;
    if (room > 12) {
      canvas.put(row, at, room, prompt + " ", Style.DIM);
    }
  }

  private void log(Canvas canvas, Board board, int back, int bottom) {
    board
        .chosenRun()
        .ifPresent(run -> {
          title(canvas, 1, run);
          Instant began = run.at("created_at").orElse(Instant.EPOCH);
          List<Timeline.Entry> all = Timeline.inFull(board.about().events(), began, signs);
          int end = Math.max(Math.min(1, all.size()), all.size() - back);
          newest(canvas, 2, bottom, all.subList(0, end), Integer.MAX_VALUE);
        });
  }

  /** As many of the last entries as there is room for; from the top if there is room for all. */
  private static void newest(
      Canvas canvas, int top, int bottom, List<Timeline.Entry> entries, int mostRows) {
    List<Row> rows = new ArrayList<>();
    int width = canvas.columns() - MARGIN - 1;
    for (int i = entries.size() - 1; i >= 0 && rows.size() < bottom - top; i--) {
      Timeline.Entry entry = entries.get(i);
      List<String> texts = Wrap.rows(entry.text(), width, mostRows);
      for (int line = texts.size() - 1; line >= 0; line--) {
        rows.addFirst(new Row(line == 0 ? entry.time() : "", texts.get(line), entry.style()));
      }
    }
    int from = Math.max(0, rows.size() - (bottom - top));
    for (int i = from; i < rows.size(); i++) {
      Row row = rows.get(i);
      int at = top + i - from;
      canvas.put(at, Math.max(0, MARGIN - 1 - row.time().length()), row.time(), Style.DIM);
      canvas.put(at, MARGIN, row.text(), row.style());
    }
  }

  private record Row(String time, String text, Style style) {}
}
