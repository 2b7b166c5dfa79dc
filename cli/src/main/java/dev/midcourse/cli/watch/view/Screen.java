package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.format.StateColor;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.screen.TextWrap;
import dev.midcourse.cli.watch.model.InputPurpose;
import dev.midcourse.cli.watch.model.Model;
import dev.midcourse.cli.watch.model.ViewMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws the model: a pure function of the model, the size of the screen and the time. */
public final class Screen {
  private static final int MIN_ROWS = 6;
  private static final int MIN_COLUMNS = 30;
  private static final int ROWS_FOR_A_NOTICE = 12;
  private static final int MARGIN = 7;
  private static final int MAX_ROWS_OF_AN_ENTRY = 4;

  private final Glyphs glyphs;

  public Screen(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  public Canvas draw(Model model, int rows, int columns, Instant now) {
    Canvas canvas = new Canvas(rows, columns);
    if (rows < MIN_ROWS || columns < MIN_COLUMNS) {
      canvas.put(0, 0, "terminal too small; q quits", Style.PLAIN);
      return canvas;
    }
    header(canvas, model);
    int bottom = new Footer(glyphs).draw(canvas, model, rows >= ROWS_FOR_A_NOTICE);
    switch (model.mode()) {
      case ViewMode.Help() -> HelpView.draw(canvas, 1, bottom);
      case ViewMode.Log(int back) -> log(canvas, model, back, bottom);
      case ViewMode.Browsing() -> both(canvas, model, bottom, now);
      case ViewMode.Pending(int _) -> both(canvas, model, bottom, now);
      case ViewMode.Line(InputPurpose.OfLoop purpose, var _) ->
          new LoopsView(glyphs, now).draw(canvas, 1, bottom, purpose.back());
      case ViewMode.Line _ -> both(canvas, model, bottom, now);
      case ViewMode.Stopping(String _) -> both(canvas, model, bottom, now);
      case ViewMode.Answering _ -> both(canvas, model, bottom, now);
      case ViewMode.Loops view -> new LoopsView(glyphs, now).draw(canvas, 1, bottom, view);
      case ViewMode.Approving view -> new ApprovalsView(glyphs).draw(canvas, 1, bottom, view);
    }
    return canvas;
  }

  private void header(Canvas canvas, Model model) {
    canvas.put(0, 0, "midcourse", Style.BOLD);
    int at = canvas.put(0, 11, counts(model), Style.PLAIN);
    long needing = model.runs().stream().filter(run -> run.text("needs").isPresent()).count();
    if (needing > 0) {
      String text = needing == 1 ? "1 needs attention" : needing + " need attention";
      at = canvas.put(0, at, " " + glyphs.dot() + " " + text, Style.of(TextColor.YELLOW).asBold());
    }
    String right = "";
    if (model.away()) {
      right = glyphs.attention() + " disconnected; reconnecting";
    } else if (!model.filter().isEmpty()) {
      right = "filter: " + TextSanitizer.line(model.filter());
    }
    int room = canvas.columns() - at - 2;
    String shown = DisplayWidth.shortened(right, Math.max(0, room));
    canvas.put(0, canvas.columns() - DisplayWidth.of(shown), shown, Style.of(TextColor.YELLOW));
  }

  private String counts(Model model) {
    List<String> counts = new ArrayList<>();
    for (String state : List.of("running", "queued")) {
      long count = model.runs().stream().filter(run -> run.state().equals(state)).count();
      if (count > 0) {
        counts.add(count + " " + state);
      }
    }
    if (model.more() > 0) {
      counts.add(CostText.count(model.more()) + " more not shown");
    }
    String none = model.loaded() ? "no live runs" : "loading";
    return counts.isEmpty() ? none : String.join(" " + glyphs.dot() + " ", counts);
  }

  /**
   * Draws the runs above and the chosen run below. The runs get the rows that they need, up to two
   * fifths.
   */
  private void both(Canvas canvas, Model model, int bottom, Instant now) {
    List<RunInfo> runs = model.visible();
    if (runs.isEmpty()) {
      nothing(canvas, model);
      return;
    }
    int room = bottom - 1;
    int above = Math.clamp(runs.size(), 1, Math.max(2, room * 2 / 5));
    new RunRows(glyphs, now).draw(canvas, 1, above, runs, model.chosen());
    model.chosenRun().ifPresent(run -> chosen(canvas, model, run, 1 + above, bottom, now));
  }

  private static void nothing(Canvas canvas, Model model) {
    if (!model.loaded()) {
      return;
    }
    boolean filtered = !model.filter().isEmpty();
    canvas.put(2, 2, filtered ? "no run matches the filter" : "no runs yet", Style.BOLD);
    canvas.put(
        3,
        2,
        filtered
            ? "Esc clears the filter"
            : "start one in another terminal: midcourse run --detach \"PROMPT\"",
        Style.DIM);
  }

  private void chosen(Canvas canvas, Model model, RunInfo run, int top, int bottom, Instant now) {
    title(canvas, top, run);
    int at = top + 1;
    if (model.mode() instanceof ViewMode.Pending(int index)) {
      new PendingSteersView(glyphs, now).draw(canvas, at, bottom, model.about().open(), index);
      return;
    }
    if (!model.about().asks().isEmpty() && at < bottom) {
      String question = model.about().asks().getFirst().text("question").orElse("");
      String text =
          glyphs.attention() + " waiting for your answer: " + TextSanitizer.exactLine(question);
      String hint = "  a answer";
      int end = canvas.put(at, 1, canvas.columns() - hint.length() - 1, text, yellow());
      canvas.put(at, end, hint, Style.DIM);
      at++;
    }
    Instant began = run.at("created_at").orElse(now);
    List<TimelineView.Entry> entries = TimelineView.inShort(model.about().events(), began, glyphs);
    newest(canvas, at, bottom, entries, MAX_ROWS_OF_AN_ENTRY);
  }

  private static Style yellow() {
    return Style.of(TextColor.YELLOW).asBold();
  }

  private void title(Canvas canvas, int row, RunInfo run) {
    canvas.fill(row, 0, glyphs.rule(), Style.DIM);
    int at = canvas.put(row, 2, " " + run.id() + " ", Style.BOLD);
    at = canvas.put(row, at, run.state() + " ", Style.of(StateColor.of(run.state())));
    String money = CostText.of(run.dollars());
    String facts =
        glyphs.dot()
            + " turn "
            + run.number("turn")
            + (run.number("attempt") > 1 ? ", attempt " + run.number("attempt") : "")
            + (money.isEmpty() ? "" : " " + glyphs.dot() + " " + money)
            + " ";
    at = canvas.put(row, at, canvas.columns() - at - 2, facts, Style.PLAIN);
    String prompt = glyphs.dot() + " " + TextSanitizer.line(run.prompt());
    int room = canvas.columns() - at - 3;
    if (room > 12) {
      canvas.put(row, at, room, prompt + " ", Style.DIM);
    }
  }

  private void log(Canvas canvas, Model model, int back, int bottom) {
    model
        .chosenRun()
        .ifPresent(run -> {
          title(canvas, 1, run);
          Instant began = run.at("created_at").orElse(Instant.EPOCH);
          List<TimelineView.Entry> all = TimelineView.inFull(model.about().events(), began, glyphs);
          int end = Math.max(Math.min(1, all.size()), all.size() - back);
          newest(canvas, 2, bottom, all.subList(0, end), Integer.MAX_VALUE);
        });
  }

  /** Draws as many of the last entries as fit, from the top if all of them fit. */
  private static void newest(
      Canvas canvas, int top, int bottom, List<TimelineView.Entry> entries, int maxRows) {
    List<Row> rows = new ArrayList<>();
    int width = canvas.columns() - MARGIN - 1;
    for (int i = entries.size() - 1; i >= 0 && rows.size() < bottom - top; i--) {
      TimelineView.Entry entry = entries.get(i);
      List<String> texts = TextWrap.rows(entry.text(), width, maxRows);
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
