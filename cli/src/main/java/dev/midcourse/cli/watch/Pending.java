package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Signs;
import dev.midcourse.cli.screen.Width;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Draws the steers that have not ended, each with its ladder. */
final class Pending {
  private static final int AGE = 8;
  private static final int MODE = 11;

  private final Signs signs;
  private final Instant now;

  Pending(Signs signs, Instant now) {
    this.signs = signs;
    this.now = now;
  }

  void draw(Canvas canvas, int top, int bottom, List<ReceiptInfo> steers, int index) {
    if (steers.isEmpty()) {
      canvas.put(top, 2, "no steer is on its way", Style.DIM);
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
    Ladder ladder = new Ladder();
    steer.claims().forEach(claim -> ladder.claim(claim.rung()));
    canvas.put(row, 0, chosen ? signs.begins() : " ", plain);
    canvas.put(row, 2, steer.shortId(), plain.asBold());
    canvas.put(row, 12, ladder.signs(signs), Style.of(ladder.ink()).asChosen(chosen));
    int at = 12 + Ladder.WIDTH + 1;
    canvas.put(row, at, MODE - 1, steer.mode().replace('_', '-'), plain);
    String age = age(steer);
    canvas.put(row, at + MODE + AGE - 2 - Width.of(age), age, Style.DIM.asChosen(chosen));
    canvas.put(row, at + MODE + AGE, steer.steerText(), plain);
  }

  private String age(ReceiptInfo steer) {
    return steer.claims().stream()
        .findFirst()
        .flatMap(ReceiptInfo.Claim::at)
        .map(at -> Ago.span(Duration.between(at, now)))
        .orElse("");
  }
}
