package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.watch.model.InputLine;
import dev.midcourse.cli.watch.model.InputPurpose;
import dev.midcourse.cli.watch.model.Model;
import dev.midcourse.cli.watch.model.ViewMode;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import java.util.ArrayList;
import java.util.List;

/** Draws the last rows: the latest notice, and the key hints or the input line. */
final class Footer {
  private final Glyphs glyphs;

  private record Hint(String key, String does) {}

  Footer(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  /**
   * Draws the rows and returns the first of them.
   *
   * @param both whether there is room for a row of notices beside the keys
   */
  int draw(Canvas canvas, Model model, boolean both) {
    int last = canvas.rows() - 1;
    boolean asks =
        !(model.mode() instanceof ViewMode.Browsing)
            && !(model.mode() instanceof ViewMode.Approving view && view.question().isEmpty())
            && !(model.mode() instanceof ViewMode.Loops loops && loops.question().isEmpty());
    if (both || (!asks && !model.notice().text().isEmpty())) {
      notice(canvas, both ? last - 1 : last, model);
    }
    if (both || asks || model.notice().text().isEmpty()) {
      keys(canvas, last, model.mode());
    }
    return both ? last - 1 : last;
  }

  private void notice(Canvas canvas, int row, Model model) {
    switch (model.mode()) {
      case ViewMode.Line(InputPurpose purpose, InputLine _) ->
          hints(
              canvas,
              row,
              0,
              purpose instanceof InputPurpose.Filter
                  ? List.of(new Hint("Enter", "apply"), new Hint("Esc", "clear"))
                  : List.of(
                      new Hint("Enter", "send"),
                      new Hint("Ctrl-X", "editor"),
                      new Hint("Esc", "cancel")));
      case ViewMode.Answering asked ->
          canvas.put(
              row,
              0,
              asked.ask().isEmpty()
                  ? "loading the question"
                  : TextSanitizer.exactLine(asked.question()),
              Style.of(TextColor.YELLOW).asBold());
      case ViewMode.Browsing() -> said(canvas, row, model.notice());
      case ViewMode.Log(int _) -> said(canvas, row, model.notice());
      case ViewMode.Pending(int _) -> said(canvas, row, model.notice());
      case ViewMode.Help() -> said(canvas, row, model.notice());
      case ViewMode.Approving _ -> said(canvas, row, model.notice());
      case ViewMode.Loops _ -> said(canvas, row, model.notice());
      case ViewMode.Stopping(String _) -> said(canvas, row, model.notice());
    }
  }

  private static void said(Canvas canvas, int row, Model.Notice notice) {
    canvas.put(row, 0, notice.text(), Style.of(notice.color()));
  }

  private void keys(Canvas canvas, int row, ViewMode mode) {
    switch (mode) {
      case ViewMode.Browsing() ->
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
                  new Hint("d", "dismiss"),
                  new Hint("r", "restart"),
                  new Hint("/", "filter"),
                  new Hint("A", "approvals"),
                  new Hint("l", "loops")));
      case ViewMode.Log(int _) ->
          hints(
              canvas,
              row,
              0,
              List.of(
                  new Hint("j k", "scroll"),
                  new Hint("Space b", "page"),
                  new Hint("g G", "top, end"),
                  new Hint("Esc", "back")));
      case ViewMode.Pending(int _) ->
          hints(
              canvas,
              row,
              0,
              List.of(
                  new Hint("w", "withdraw"),
                  new Hint("e", "edit"),
                  new Hint("m", "promote"),
                  new Hint("Esc", "back")));
      case ViewMode.Help() -> hints(canvas, row, 0, List.of(new Hint("any key", "back")));
      case ViewMode.Line line -> line(canvas, row, line);
      case ViewMode.Stopping(String run) ->
          confirmation(canvas, row, "Stop " + run + "?", "stop", TextColor.RED);
      case ViewMode.Answering asked -> hints(canvas, row, 0, answers(asked));
      case ViewMode.Approving view -> approvals(canvas, row, view);
      case ViewMode.Loops view -> loops(canvas, row, view);
    }
  }

  private static void loops(Canvas canvas, int row, ViewMode.Loops view) {
    if (view.question().isPresent()) {
      ViewMode.LoopQuestion question = view.question().get();
      String text = question.verb() + " " + question.loop() + "?";
      confirmation(canvas, row, text, "yes", TextColor.YELLOW);
    } else if (view.findings()) {
      hints(
          canvas,
          row,
          0,
          List.of(
              new Hint("d", "drop"),
              new Hint("u", "uphold"),
              new Hint("n", "nit"),
              new Hint("j k", "select"),
              new Hint("Esc", "back")));
    } else {
      hints(
          canvas,
          row,
          0,
          List.of(
              new Hint("s", "steer"),
              new Hint("S", "standing"),
              new Hint("N", "next"),
              new Hint("F", "findings"),
              new Hint("c", "go on"),
              new Hint("K", "skip wait"),
              new Hint("Esc", "back"),
              new Hint("?", "help"),
              new Hint("L", "land"),
              new Hint("x", "stop"),
              new Hint("p", "pause"),
              new Hint("r", "restart"),
              new Hint("o", "change")));
    }
  }

  private static void confirmation(
      Canvas canvas, int row, String question, String yes, TextColor color) {
    int at = canvas.put(row, 0, canvas.columns() - 22, question, Style.of(color).asBold());
    hints(canvas, row, at + 2, List.of(new Hint("y", yes), new Hint("n", "cancel")));
  }

  private static void approvals(Canvas canvas, int row, ViewMode.Approving view) {
    if (view.question().isPresent()) {
      ViewMode.Decision decision = view.question().get();
      String question = decision.approval().question(decision.choice());
      confirmation(canvas, row, TextSanitizer.exactLine(question), "yes", TextColor.YELLOW);
      return;
    }
    List<Hint> all = new ArrayList<>();
    view.selected()
        .ifPresent(one -> {
          int last = one.choices().size();
          all.add(new Hint(last == 1 ? "1" : "1-" + last, "decide"));
          all.add(new Hint("j k", "select"));
        });
    all.add(new Hint("A", "reload"));
    all.add(new Hint("Esc", "back"));
    hints(canvas, row, 0, all);
  }

  /** Nothing can be answered before the question is loaded. */
  private static List<Hint> answers(ViewMode.Answering asked) {
    if (asked.ask().isEmpty()) {
      return List.of(new Hint("Esc", "cancel"));
    }
    return List.of(
        new Hint("y", "allow"),
        new Hint("n", "deny"),
        new Hint(
            "t", asked.kind() == AskKind.PERMISSION ? "deny with a reason" : "answer in words"),
        new Hint("Esc", "cancel"));
  }

  /** Draws the hints that fit completely. */
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

  /** Draws the input line. If it is too long for the screen, its end is shown. */
  private void line(Canvas canvas, int row, ViewMode.Line line) {
    String label = line.purpose().label();
    int half = canvas.columns() / 2;
    int at = canvas.put(row, 0, half, label + " " + glyphs.begins() + " ", Style.BOLD);
    String before = shown(line.typing().text().substring(0, line.typing().at()));
    String behind = shown(line.typing().text().substring(line.typing().at()));
    int room = canvas.columns() - at - 1;
    int cut = 0;
    while (DisplayWidth.of(before.substring(cut)) > room) {
      cut += Character.charCount(before.codePointAt(cut));
    }
    at = canvas.put(row, at, before.substring(cut), Style.PLAIN);
    canvas.put(row, at, DisplayWidth.cut(behind, canvas.columns() - at), Style.PLAIN);
    canvas.showCursor(row, at);
  }

  private static String shown(String text) {
    return TextSanitizer.line(text);
  }
}
