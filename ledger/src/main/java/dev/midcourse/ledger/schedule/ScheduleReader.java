package dev.midcourse.ledger.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The queries about schedules. */
public interface ScheduleReader {
  Optional<Schedule> schedule(ScheduleId id);

  /** Active schedules by their next time, then the paused ones by id; with ended ones, newest. */
  List<Schedule> schedules(boolean withEnded);

  /** Whether a schedule is active, so that a hub has to wait for its next time. */
  boolean hasActive();

  /** What became of a due time. */
  Optional<ScheduleRun> run(ScheduleId schedule, Instant due);

  /** What became of the newest due times, newest first. */
  List<ScheduleRun> runs(ScheduleId schedule, int limit);

  /** The newest run that the schedule has started. */
  Optional<RunId> newestRun(ScheduleId schedule);

  /** The schedule that started the run. */
  Optional<ScheduleId> scheduleOf(RunId run);
}
