package dev.midcourse.ledger.sql;

import java.time.Instant;
import java.util.List;

/** Deletes old runs a few at a time, so that nobody's steer waits for it. */
final class Prune {
  private static final int MOST_RUNS = 50;
  private static final int ENOUGH_EVENTS = 2_000;

  /** What is left of an attempt that nobody saw end must still be found and ended. */
  private static final String OLD =
      """
      SELECT run_id FROM runs r
      WHERE ended_at < ? AND state NOT IN ('queued', 'running')
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = r.run_id AND a.ended_at IS NULL)
      ORDER BY ended_at LIMIT ?
      """;

  private static final String EVENTS = "DELETE FROM events WHERE run_id = ?";

  private static final String RUN = "DELETE FROM runs WHERE run_id = ?";

  private Prune() {}

  /** Deletes some runs that ended before the time, each with all that is about it. */
  static int some(Statements on, Instant endedBefore) {
    List<String> old = on.all(OLD, Row::text, endedBefore, MOST_RUNS);
    int runs = 0;
    int events = 0;
    for (String run : old) {
      if (events >= ENOUGH_EVENTS) {
        break;
      }
      events += on.update(EVENTS, run);
      runs += on.update(RUN, run);
    }
    return runs;
  }
}
