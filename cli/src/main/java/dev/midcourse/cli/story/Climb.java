package dev.midcourse.cli.story;

import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Width;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Prints a receipt as it climbs: every rung once, with how long it took and what proved it. */
public final class Climb {
  private static final int NAME = 10;
  private static final int TIME = 9;

  private final Page page;
  private int told;
  private boolean toldEnd;

  public Climb(Page page) {
    this.page = page;
  }

  /** Prints what is new in it. */
  public void tell(ReceiptInfo receipt) {
    List<ReceiptInfo.Claim> claims = receipt.claims();
    Optional<Instant> stored = claims.isEmpty() ? Optional.empty() : claims.getFirst().at();
    for (ReceiptInfo.Claim claim : claims.subList(Math.min(told, claims.size()), claims.size())) {
      line(Ink.BLUE, claim.rung(), since(stored, claim.at()), claim.evidence());
    }
    told = Math.max(told, claims.size());
    Optional<String> ended = receipt.text("ended");
    if (ended.isPresent() && !toldEnd) {
      toldEnd = true;
      if (!ended.get().equals("answered")) {
        line(
            ended.get().equals("carried") ? Ink.BLUE : Ink.YELLOW,
            ended.get(),
            since(stored, receipt.at("ended_at")),
            receipt.text("reason").orElse(""));
      }
    }
  }

  /** Says why it does not climb now. */
  public void waits(String why) {
    line(Ink.YELLOW, "waits", "", why);
  }

  private void line(Ink ink, String name, String time, String evidence) {
    String head = "  " + page.paint(ink, Width.padded(Clean.line(name), NAME));
    String rest = Width.padded(time, TIME) + page.fit(Clean.line(evidence), NAME + TIME + 4);
    page.line((head + " " + rest).stripTrailing());
  }

  private static String since(Optional<Instant> stored, Optional<Instant> at) {
    return stored.isPresent() && at.isPresent()
        ? Ago.fine(Duration.between(stored.get(), at.get()))
        : "";
  }
}
