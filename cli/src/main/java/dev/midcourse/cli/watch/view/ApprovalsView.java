package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.screen.TextWrap;
import dev.midcourse.cli.watch.model.ApprovalRequest;
import dev.midcourse.cli.watch.model.ViewMode;
import java.util.List;

/** Draws the senders and chats that wait to be let in, and the possible decisions of one. */
final class ApprovalsView {
  private static final int ID = 8;
  private static final int MAX_ROWS_OF_TEXT = 4;

  private final Glyphs glyphs;

  ApprovalsView(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  void draw(Canvas canvas, int top, int bottom, ViewMode.Approving view) {
    canvas.fill(top, 0, glyphs.rule(), Style.DIM);
    canvas.put(top, 2, " Approvals ", Style.BOLD);
    int from = top + 1;
    List<ApprovalRequest> pending = view.pending();
    if (pending.isEmpty()) {
      canvas.put(from, 2, view.loaded() ? "Nobody waits to be let in" : "loading", Style.DIM);
      return;
    }
    int rows = Math.clamp(pending.size(), 1, Math.max(1, (bottom - from) / 2));
    int first = Math.clamp(view.index() - rows / 2L, 0, pending.size() - rows);
    for (int i = first; i < first + rows; i++) {
      row(canvas, from + i - first, pending.get(i), i == view.index());
    }
    view.selected().ifPresent(one -> selected(canvas, from + rows, bottom, one));
  }

  private void row(Canvas canvas, int row, ApprovalRequest approval, boolean selected) {
    Style plain = Style.PLAIN.asChosen(selected);
    if (selected) {
      canvas.fill(row, 0, " ", plain);
    }
    int column = canvas.columns() / 5;
    canvas.put(row, 0, selected ? glyphs.begins() : " ", plain);
    canvas.put(row, 2, ID - 1, approval.id(), plain.asBold());
    canvas.put(row, 2 + ID, column - 2, shown(approval.name()), plain);
    canvas.put(row, 2 + ID + column, column - 2, shown(approval.chat()), plain);
    canvas.put(
        row,
        2 + ID + 2 * column,
        TextSanitizer.line(approval.text()),
        Style.DIM.asChosen(selected));
  }

  /** Draws what can be decided first: it has to be visible on a small screen. */
  private void selected(Canvas canvas, int top, int bottom, ApprovalRequest approval) {
    canvas.fill(top, 0, glyphs.rule(), Style.DIM);
    int at = canvas.put(top, 2, " " + approval.id() + " ", Style.BOLD);
    String waits = approval.newChat() ? "a new chat: which worker?" : "an unknown sender";
    canvas.put(top, at, glyphs.dot() + " " + waits + " ", Style.PLAIN);
    int row = choices(canvas, top + 1, bottom, approval);
    String who =
        shown(approval.name()) + approval.account().map(it -> " (" + shown(it) + ")").orElse("");
    for (String line : TextWrap.rows(who + " in " + shown(approval.chat()), room(canvas), 2)) {
      row = line(canvas, row, bottom, line, Style.PLAIN);
    }
    String text = TextSanitizer.line(approval.text());
    for (String line : TextWrap.rows(text, room(canvas), MAX_ROWS_OF_TEXT)) {
      row = line(canvas, row, bottom, line, Style.DIM);
    }
  }

  private static int choices(Canvas canvas, int top, int bottom, ApprovalRequest approval) {
    int row = top;
    int at = 2;
    int digit = 1;
    for (ApprovalRequest.Choice choice : approval.choices()) {
      if (at > 2 && at + 2 + DisplayWidth.of(choice.label()) > canvas.columns()) {
        row++;
        at = 2;
      }
      if (row >= bottom) {
        return row;
      }
      at = canvas.put(row, at, Integer.toString(digit++), Style.BOLD) + 1;
      at = canvas.put(row, at, choice.label(), Style.PLAIN) + 3;
    }
    return approval.leftOut() == 0
        ? row + 1
        : line(
            canvas,
            row + 1,
            bottom,
            approval.leftOut() + " more: midcourse approvals wire " + approval.id() + " WORKER",
            Style.DIM);
  }

  private static int line(Canvas canvas, int row, int bottom, String text, Style style) {
    if (row < bottom) {
      canvas.put(row, 2, text, style);
    }
    return row + 1;
  }

  private static int room(Canvas canvas) {
    return canvas.columns() - 3;
  }

  /** Returns a name that somebody else chose: every character counts. */
  private static String shown(String name) {
    return TextSanitizer.exactLine(name);
  }
}
