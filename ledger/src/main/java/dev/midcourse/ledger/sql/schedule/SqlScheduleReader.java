package dev.midcourse.ledger.sql.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.ledger.schedule.ScheduleReader;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.table.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs the queries about schedules on one connection. */
public class SqlScheduleReader implements ScheduleReader {
  static final Subject SCHEDULES = new Subject.OfSchedules();

  private final Function<Subject, SqlSession> sessions;

  /** Asks {@code sessions} for the connection that shows all earlier changes of a subject. */
  public SqlScheduleReader(Function<Subject, SqlSession> sessions) {
    this.sessions = sessions;
  }

  final SqlSession session() {
    return sessions.apply(SCHEDULES);
  }

  @Override
  public Optional<Schedule> schedule(ScheduleId id) {
    return ScheduleTable.byId(session(), id);
  }

  @Override
  public List<Schedule> schedules(boolean withEnded) {
    return ScheduleTable.all(session(), withEnded);
  }

  @Override
  public boolean hasActive() {
    return ScheduleTable.hasActive(session());
  }

  @Override
  public Optional<ScheduleRun> run(ScheduleId schedule, Instant due) {
    return ScheduleRunTable.one(session(), schedule, due);
  }

  @Override
  public List<ScheduleRun> runs(ScheduleId schedule, int limit) {
    return ScheduleRunTable.newest(session(), schedule, limit);
  }

  @Override
  public Optional<RunId> newestRun(ScheduleId schedule) {
    return ScheduleRunTable.newestRun(session(), schedule);
  }

  @Override
  public Optional<ScheduleId> scheduleOf(RunId run) {
    return ScheduleRunTable.scheduleOf(session(), run);
  }
}
