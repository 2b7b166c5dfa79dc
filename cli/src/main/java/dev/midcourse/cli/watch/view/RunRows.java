package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.format.NeedText;
import dev.midcourse.cli.format.RunStatusText;
import dev.midcourse.cli.format.StateColor;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Draws runs as rows with the same columns. A narrower screen shows fewer columns; the run, its
 * state and its need are always shown.
 */
final class RunRows {
  private static final int GAP = 2;
  private static final int MAX_ID = 24;
  private static final int MIN_DOING = 14;
  private static final int DEFAULT_AGENT = 9;
  private static final int MIN_WIDTH_WITH_AGENT = 70;
  private static final int FOR_EVERYTHING = 100;

  private final Glyphs glyphs;
  private final Instant now;

  RunRows(Glyphs glyphs, Instant now) {
    this.glyphs = glyphs;
    this.now = now;
  }

  /** Draws {@code rows} rows from {@code top} on, scrolled so that the chosen run is visible. */
  void draw(Canvas canvas, int top, int rows, List<RunInfo> runs, String chosen) {
    int at = Math.max(0, runs.stream().map(RunInfo::id).toList().indexOf(chosen));
    int first = Math.clamp(at - rows / 2L, 0, Math.max(0, runs.size() - rows));
    List<RunInfo> shown = runs.subList(first, Math.min(runs.size(), first + rows));
    Columns columns = columns(shown, canvas.columns());
    for (int i = 0; i < shown.size(); i++) {
      RunInfo run = shown.get(i);
      row(canvas, top + i, run, columns, run.id().equals(chosen));
    }
  }

  private record Columns(int id, int state, int agent, int since, int steers, int cost) {}

  private Columns columns(List<RunInfo> runs, int width) {
    return new Columns(
        Math.min(width >= MIN_WIDTH_WITH_AGENT ? MAX_ID : MIN_DOING, widest(runs, RunInfo::id)),
        widest(runs, RunInfo::state),
        agent(runs, width),
        widest(runs, this::since),
        width >= FOR_EVERYTHING ? widest(runs, RunRows::steers) : 0,
        width >= FOR_EVERYTHING ? widest(runs, run -> CostText.of(run.dollars())) : 0);
  }

  /**
   * Returns the width of the agent column: the longest name on a wide screen, a limited width on a
   * narrower one, 0 on a narrow one.
   */
  private static int agent(List<RunInfo> runs, int width) {
    int widest = widest(runs, RunInfo::agent);
    if (width >= FOR_EVERYTHING) {
      return widest;
    }
    return width >= MIN_WIDTH_WITH_AGENT ? Math.min(widest, DEFAULT_AGENT) : 0;
  }

  private static int widest(List<RunInfo> runs, Function<RunInfo, String> what) {
    return runs.stream()
        .map(what)
        .map(TextSanitizer::line)
        .mapToInt(DisplayWidth::of)
        .max()
        .orElse(0);
  }

  private void row(Canvas canvas, int row, RunInfo run, Columns columns, boolean chosen) {
    Style plain = Style.PLAIN.asChosen(chosen);
    if (chosen) {
      canvas.fill(row, 0, " ", plain);
    }
    canvas.put(row, 0, chosen ? glyphs.begins() : " ", plain);
    int at = GAP;
    at = column(canvas, row, at, columns.id(), run.id(), plain.asBold());
    Style state = Style.of(StateColor.of(run.state())).asChosen(chosen);
    at = column(canvas, row, at, columns.state(), run.state(), state);
    at = column(canvas, row, at, columns.agent(), run.agent(), Style.DIM.asChosen(chosen));
    String needs = run.text("needs").map(NeedText::of).orElse("");
    int right = right(canvas, row, run, columns, plain);
    int room = right - GAP - at;
    if (!needs.isEmpty()) {
      String shown = DisplayWidth.shortened(glyphs.attention() + " " + needs, room);
      int doing = room - DisplayWidth.of(shown) - GAP;
      canvas.put(row, right - GAP - DisplayWidth.of(shown), shown, yellow(chosen));
      room = doing < MIN_DOING ? 0 : doing;
    }
    canvas.put(row, at, room, RunStatusText.doing(run, now), plain);
  }

  private static Style yellow(boolean chosen) {
    return Style.of(TextColor.YELLOW).asBold().asChosen(chosen);
  }

  /** Draws the numbers at the right edge; returns their first column. */
  private int right(Canvas canvas, int row, RunInfo run, Columns columns, Style style) {
    int at = canvas.columns() - 1;
    at = rightColumn(canvas, row, at, columns.since(), since(run), style);
    at = rightColumn(canvas, row, at, columns.cost(), CostText.of(run.dollars()), style);
    return rightColumn(canvas, row, at, columns.steers(), steers(run), style);
  }

  private static int column(Canvas canvas, int row, int at, int width, String text, Style style) {
    if (width == 0) {
      return at;
    }
    canvas.put(row, at, width, text, style);
    return at + width + GAP;
  }

  private static int rightColumn(
      Canvas canvas, int row, int end, int width, String text, Style style) {
    if (width == 0) {
      return end;
    }
    canvas.put(row, end - DisplayWidth.of(text), text, style);
    return end - width - GAP;
  }

  private String since(RunInfo run) {
    return RunStatusText.since(run)
        .map(at -> DurationText.span(Duration.between(at, now)))
        .orElse("");
  }

  private static String steers(RunInfo run) {
    long count = run.number("steers");
    return count == 0 ? "" : count + (count == 1 ? " steer" : " steers");
  }
}
