package dev.midcourse.ledger.sql.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.ledger.sql.jdbc.Row;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table schedule_runs: one row for each due time. */
final class ScheduleRunTable {
  private static final String ONE =
      """
      SELECT schedule_id, due, fired_at, run_id, reason FROM schedule_runs
      WHERE schedule_id = ? AND due = ?
      """;

  private static final String NEWEST =
      """
      SELECT schedule_id, due, fired_at, run_id, reason FROM schedule_runs
      WHERE schedule_id = ? ORDER BY due DESC LIMIT ?
      """;

  private static final String NEWEST_RUN =
      """
      SELECT run_id FROM schedule_runs
      WHERE schedule_id = ? AND run_id IS NOT NULL ORDER BY due DESC LIMIT 1
      """;

  private static final String OF_RUN = "SELECT schedule_id FROM schedule_runs WHERE run_id = ?";

  private static final String INSERT =
      """
      INSERT INTO schedule_runs (schedule_id, due, fired_at, run_id, reason) VALUES (?, ?, ?, ?, ?)
      """;

  private static final String PRUNE = "DELETE FROM schedule_runs WHERE fired_at < ?";

  private ScheduleRunTable() {}

  static Optional<ScheduleRun> one(SqlSession on, ScheduleId schedule, Instant due) {
    return on.first(ONE, ScheduleRunTable::map, schedule, due);
  }

  static List<ScheduleRun> newest(SqlSession on, ScheduleId schedule, int limit) {
    return on.all(NEWEST, ScheduleRunTable::map, schedule, limit);
  }

  static Optional<RunId> newestRun(SqlSession on, ScheduleId schedule) {
    return on.first(NEWEST_RUN, row -> row.parsed("run_id", RunId::of), schedule);
  }

  static Optional<ScheduleId> scheduleOf(SqlSession on, RunId run) {
    return on.first(OF_RUN, row -> row.parsed("schedule_id", ScheduleId::of), run);
  }

  static void insert(ChangeRecorder changes, ScheduleRun run) {
    changes.add(INSERT, run.schedule(), run.due(), run.firedAt(), run.run(), run.reason());
  }

  static void prune(ChangeRecorder changes, Instant before) {
    changes.add(PRUNE, before);
  }

  private static ScheduleRun map(Row row) throws SQLException {
    return new ScheduleRun(
        row.parsed("schedule_id", ScheduleId::of),
        row.instant("due"),
        row.instant("fired_at"),
        row.optionalParsed("run_id", RunId::of),
        row.text("reason"));
  }
}
