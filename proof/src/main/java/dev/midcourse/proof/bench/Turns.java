package dev.midcourse.proof.bench;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.ledger.Log;
import java.time.Duration;

/** Waits until runs are at work. */
final class Turns {
  private static final Log.Filter BEGUN = Log.Filter.of(RunEvent.TurnStarted.class);

  private Turns() {}

  /** Returns when so many turns have begun in all. */
  static void await(Log log, int count) throws InterruptedException {
    long cursor = 0;
    for (int begun = 0; begun < count; ) {
      Log.Page page = log.await(cursor, BEGUN, 1_000, Duration.ofSeconds(10));
      begun += page.entries().size();
      cursor = page.next();
    }
  }
}
