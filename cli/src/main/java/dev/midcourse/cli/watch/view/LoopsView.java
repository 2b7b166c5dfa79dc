package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextWrap;
import dev.midcourse.cli.watch.model.ViewMode;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws the autopilot loops above, and the selected one below: its question, or its findings. */
final class LoopsView {
  private static final int MAX_ID = 28;
  private static final int WIDE = 100;
  private static final int STATE = 20;

  private final Glyphs glyphs;
  private final Instant now;

  LoopsView(Glyphs glyphs, Instant now) {
    this.glyphs = glyphs;
    this.now = now;
  }

  void draw(Canvas canvas, int top, int bottom, ViewMode.Loops view) {
    if (view.loops().isEmpty()) {
      String none = view.loaded() ? "no loops yet" : "loading";
      canvas.put(top + 1, 2, none, Style.BOLD);
      if (view.loaded()) {
        canvas.put(
            top + 2, 2, "start one: midcourse autopilot --detach \"TASK\" --ci COMMAND", Style.DIM);
      }
      return;
    }
    int room = bottom - top;
    int above = Math.clamp(view.loops().size(), 1, Math.max(2, room * 2 / 5));
    int first = Math.clamp(view.index() - above / 2L, 0, Math.max(0, view.loops().size() - above));
    int id =
        Math.min(
            canvas.columns() >= WIDE ? MAX_ID : MAX_ID - 8,
            view.loops().stream().mapToInt(it -> DisplayWidth.of(it.id())).max().orElse(0));
    for (int i = 0; i < Math.min(above, view.loops().size() - first); i++) {
      row(canvas, top + i, view.loops().get(first + i), id, first + i == view.index());
    }
    view.selected().ifPresent(loop -> below(canvas, top + above, bottom, view, loop));
  }

  private void row(Canvas canvas, int row, LoopInfo loop, int id, boolean chosen) {
    Style plain = Style.PLAIN.asChosen(chosen);
    if (chosen) {
      canvas.fill(row, 0, " ", plain);
    }
    canvas.put(row, 0, chosen ? glyphs.begins() : " ", plain);
    canvas.put(row, 2, id, loop.id(), plain.asBold());
    int at = 2 + id + 2;
    canvas.put(row, at, STATE, state(loop), Style.of(color(loop)).asChosen(chosen));
    at += STATE + 2;
    String age =
        loop.since().map(since -> DurationText.span(Duration.between(since, now))).orElse("");
    int end = canvas.columns() - 1 - DisplayWidth.of(age);
    canvas.put(row, end, age, plain);
    String counts =
        "fixes %d/%d, reviews %d/%d"
            .formatted(
                loop.number("fixes"),
                loop.number("max_fixes"),
                loop.number("reviews"),
                loop.number("max_reviews"));
    String facts = loop.number("open") > 0 ? counts + ", " + loop.number("open") + " open" : counts;
    canvas.put(row, at, end - at - 2, facts, Style.DIM.asChosen(chosen));
  }

  private String state(LoopInfo loop) {
    if (loop.waitsForReview()) {
      return glyphs.attention() + " your review";
    }
    return loop.phase().equals("parked")
        ? glyphs.attention() + " " + loop.parkReason().replace('_', ' ')
        : loop.phase();
  }

  private static TextColor color(LoopInfo loop) {
    return loop.needsPerson()
        ? TextColor.YELLOW
        : loop.phase().equals("done")
            ? TextColor.GREEN
            : loop.hasEnded() ? TextColor.DIM : TextColor.BLUE;
  }

  private record Line(String text, Style style, boolean chosen) {}

  private void below(Canvas canvas, int top, int bottom, ViewMode.Loops view, LoopInfo loop) {
    canvas.fill(top, 0, glyphs.rule(), Style.DIM);
    int at = canvas.put(top, 2, " " + loop.id() + " ", Style.BOLD);
    String agent =
        glyphs.dot() + " " + loop.text("agent") + ", reviewed by " + loop.text("reviewer");
    canvas.put(top, at, canvas.columns() - at - 2, agent + " ", Style.PLAIN);
    List<Line> lines =
        view.findings()
            ? findings(loop, view.row(), canvas.columns() - 4)
            : facts(loop, canvas.columns() - 4);
    int chosen = 0;
    for (int i = 0; i < lines.size(); i++) {
      chosen = lines.get(i).chosen() ? i : chosen;
    }
    int room = bottom - top - 1;
    int first = Math.clamp(chosen - room / 2L, 0, Math.max(0, lines.size() - room));
    for (int i = 0; i < Math.min(room, lines.size() - first); i++) {
      Line line = lines.get(first + i);
      if (line.chosen()) {
        canvas.fill(top + 1 + i, 0, " ", Style.PLAIN.asChosen(true));
      }
      canvas.put(top + 1 + i, 2, line.text(), line.style().asChosen(line.chosen()));
    }
  }

  private static List<Line> facts(LoopInfo loop, int width) {
    List<Line> lines = new ArrayList<>();
    if (!loop.question().isEmpty()) {
      TextWrap.rows("It asks: " + loop.question(), width, 4)
          .forEach(row -> lines.add(new Line(row, Style.of(TextColor.YELLOW).asBold(), false)));
    }
    if (!loop.text("result").isEmpty()) {
      TextWrap.rows(loop.text("result"), width, 3)
          .forEach(row -> lines.add(new Line(row, Style.BOLD, false)));
    }
    JsonValue.Obj check = loop.fields().object("check");
    check
        .text("review")
        .ifPresent(review ->
            lines.add(
                new Line(
                    "round "
                        + check.number("round").orElse(0L)
                        + ": review "
                        + review
                        + ", CI "
                        + check.text("ci").orElse(""),
                    Style.PLAIN,
                    false)));
    if (!loop.hasEnded()) {
      lines.add(
          new Line("a steer now: " + loop.text("steers_go"), Style.of(TextColor.BLUE), false));
    }
    loop.fields().objects("steers").reversed().stream()
        .limit(3)
        .forEach(steer ->
            lines.add(
                new Line(
                    steer.text("state").orElse("") + ": " + steer.text("text").orElse(""),
                    Style.DIM,
                    false)));
    loop.changeUrl().ifPresent(url -> lines.add(new Line("change: " + url, Style.PLAIN, false)));
    TextWrap.rows(loop.text("prompt"), width, 3)
        .forEach(row -> lines.add(new Line(row, Style.DIM, false)));
    return lines;
  }

  private static List<Line> findings(LoopInfo loop, int chosen, int width) {
    List<JsonValue.Obj> all = loop.findings();
    if (all.isEmpty()) {
      return List.of(new Line("no findings", Style.DIM, false));
    }
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      JsonValue.Obj it = all.get(i);
      String place =
          it.text("place").filter(name -> !name.isEmpty()).map(name -> name + " ").orElse("");
      String state = it.text("state").orElse("");
      lines.add(
          new Line(
              it.text("id").orElse("")
                  + " "
                  + it.text("severity").orElse("")
                  + " "
                  + state
                  + ": "
                  + place
                  + it.text("title").orElse(""),
              settled(state) ? Style.DIM : Style.PLAIN,
              i == chosen));
      if (i == chosen) {
        it.text("reason")
            .filter(reason -> !reason.isBlank())
            .ifPresent(
                reason -> lines.add(new Line("   " + reason, Style.of(TextColor.BLUE), false)));
        TextWrap.rows(it.text("body").orElse(""), Math.max(10, width - 3), 4).stream()
            .filter(row -> !row.isBlank())
            .forEach(row -> lines.add(new Line("   " + row, Style.DIM, false)));
      }
    }
    return lines;
  }

  private static boolean settled(String state) {
    return state.equals("confirmed") || state.equals("dropped");
  }
}
