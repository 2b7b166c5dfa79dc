package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Glyphs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Draws the steers that have not ended, each with its ladder. */
final class PendingSteersView {
  private static final int AGE = 8;
  private static final int MODE = 11;

  private final Glyphs glyphs;
  private final Instant now;

  PendingSteersView(Glyphs glyphs, Instant now) {
    this.glyphs = glyphs;
    this.now = now;
  }

  void draw(Canvas canvas, int top, int bottom, List<ReceiptInfo> steers, int index) {
    if (steers.isEmpty()) {
      canvas.put(top, 2, "no pending steers", Style.DIM);
      return;
    }
    int rows = bottom - top;
    int at = Math.min(index, steers.size() - 1);
    int first = Math.clamp(at - rows / 2L, 0, Math.max(0, steers.size() - rows));
    for (int i = first; i < Math.min(steers.size(), first + rows); i++) {
      row(canvas, top + i - first, steers.get(i), i == at);
    }
  }

  private void row(Canvas canvas, int row, ReceiptInfo steer, boolean chosen) {
    Style plain = Style.PLAIN.asChosen(chosen);
    if (chosen) {
      canvas.fill(row, 0, " ", plain);
    }
    ReceiptLadder ladder = new ReceiptLadder();
    steer.claims().forEach(claim -> ladder.claim(claim.rung()));
    canvas.put(row, 0, chosen ? glyphs.begins() : " ", plain);
    canvas.put(row, 2, steer.shortId(), plain.asBold());
    canvas.put(row, 12, ladder.signs(glyphs), Style.of(ladder.ink()).asChosen(chosen));
    int at = 12 + ReceiptLadder.WIDTH + 1;
    canvas.put(row, at, MODE - 1, steer.shownMode(), plain);
    String age = age(steer);
    canvas.put(row, at + MODE + AGE - 2 - DisplayWidth.of(age), age, Style.DIM.asChosen(chosen));
    canvas.put(row, at + MODE + AGE, steer.steerText(), plain);
  }

  private String age(ReceiptInfo steer) {
    return steer.claims().stream()
        .findFirst()
        .flatMap(ReceiptInfo.Claim::at)
        .map(at -> DurationText.span(Duration.between(at, now)))
        .orElse("");
  }
}
