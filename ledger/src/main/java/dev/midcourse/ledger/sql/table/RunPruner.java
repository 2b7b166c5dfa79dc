package dev.midcourse.ledger.sql.table;

import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.time.Instant;
import java.util.List;

/** Deletes old runs and events in small steps, so that no steer waits long behind a step. */
public final class RunPruner {
  private static final int MAX_RUNS = 50;
  private static final int MAX_EVENTS_PER_STEP = 2_000;

  /**
   * Keeps runs with an open attempt, because its processes must still be found and ended. Keeps
   * runs that another run continues in the same folder, because the folder goes with the run.
   */
  private static final String OLD =
      """
      SELECT run_id FROM runs r
      WHERE ended_at < ? AND state NOT IN ('queued', 'running')
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = r.run_id AND a.ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM runs c WHERE c.parent_run_id = r.run_id AND c.dir = r.dir)
      ORDER BY ended_at LIMIT ?
      """;

  private static final String EVENTS = "DELETE FROM events WHERE run_id = ?";

  private static final String RUN = "DELETE FROM runs WHERE run_id = ?";

  private static final String WITHOUT_RUN =
      """
      SELECT DISTINCT run_id FROM events e
      WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = e.run_id)
      """;

  private static final String EVENTS_WITHOUT_RUN =
      """
      DELETE FROM events WHERE cursor IN (
        SELECT cursor FROM events e
        WHERE run_id = ? AND at < ?
          AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = e.run_id)
        ORDER BY cursor LIMIT ?)
      """;

  private RunPruner() {}

  /** The run ids of events that have no run. Reads all events, so the writer must not call it. */
  public static List<String> namesWithoutRun(SqlSession on) {
    return on.all(WITHOUT_RUN, row -> row.text("run_id"));
  }

  /** Deletes some events of this run id before the time, if the run does not exist. */
  public static int someEvents(SqlSession on, String name, Instant before) {
    return on.update(EVENTS_WITHOUT_RUN, name, before, MAX_EVENTS_PER_STEP);
  }

  /** Deletes some runs that ended before the time, each with its events. */
  public static int some(SqlSession on, Instant endedBefore) {
    List<String> old = on.all(OLD, row -> row.text("run_id"), endedBefore, MAX_RUNS);
    int runs = 0;
    int events = 0;
    for (String run : old) {
      if (events >= MAX_EVENTS_PER_STEP) {
        break;
      }
      events += on.update(EVENTS, run);
      runs += on.update(RUN, run);
    }
    return runs;
  }
}
