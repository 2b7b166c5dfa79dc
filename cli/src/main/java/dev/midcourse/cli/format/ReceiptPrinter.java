package dev.midcourse.cli.format;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Prints the progress of a receipt: every rung once, with its time and its evidence. */
public final class ReceiptPrinter {
  private static final int NAME = 10;
  private static final int TIME = 9;

  private final TerminalOutput page;
  private int printed;
  private boolean printedEnd;

  public ReceiptPrinter(TerminalOutput page) {
    this.page = page;
  }

  /** Prints the rungs that were not printed before. */
  public void tell(ReceiptInfo receipt) {
    List<ReceiptInfo.Claim> claims = receipt.claims();
    for (ReceiptInfo.Claim claim :
        claims.subList(Math.min(printed, claims.size()), claims.size())) {
      line(TextColor.BLUE, claim.rung(), shown(claim.after()), claim.evidence());
    }
    printed = Math.max(printed, claims.size());
    Optional<String> ended = receipt.text("ended");
    if (ended.isPresent() && !printedEnd) {
      printedEnd = true;
      if (!ended.get().equals("answered")) {
        line(
            ended.get().equals("carried") ? TextColor.BLUE : TextColor.YELLOW,
            ended.get(),
            shown(receipt.endedAfter()),
            receipt.text("reason").orElse(""));
      }
    }
  }

  /** Prints the reason why the steer is not delivered yet. */
  public void pending(String why) {
    line(TextColor.YELLOW, "pending", "", why);
  }

  private void line(TextColor color, String name, String time, String evidence) {
    String head = "  " + page.paint(color, DisplayWidth.padded(TextSanitizer.line(name), NAME));
    String rest =
        DisplayWidth.padded(time, TIME) + page.fit(TextSanitizer.line(evidence), NAME + TIME + 4);
    page.line((head + " " + rest).stripTrailing());
  }

  private static String shown(Optional<Duration> after) {
    return after.map(DurationText::fine).orElse("");
  }
}
