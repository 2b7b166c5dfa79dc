package dev.midcourse.ledger.sql.schedule;

import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.ledger.schedule.ScheduleWriter;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.ChangeRecorder;
import dev.midcourse.ledger.sql.table.Subject;
import java.time.Instant;
import java.util.function.Function;

/** Records the changes of schedules in one transaction. */
public final class SqlScheduleWriter extends SqlScheduleReader implements ScheduleWriter {
  private final Function<Subject, ChangeRecorder> recorders;

  public SqlScheduleWriter(
      Function<Subject, SqlSession> sessions, Function<Subject, ChangeRecorder> recorders) {
    super(sessions);
    this.recorders = recorders;
  }

  @Override
  public void put(Schedule schedule) {
    ScheduleTable.put(recorders.apply(SCHEDULES), schedule);
  }

  @Override
  public void put(ScheduleRun run) {
    ScheduleRunTable.insert(recorders.apply(SCHEDULES), run);
  }

  @Override
  public void prune(Instant before) {
    ChangeRecorder changes = recorders.apply(SCHEDULES);
    ScheduleRunTable.prune(changes, before);
    ScheduleTable.prune(changes, before);
  }
}
