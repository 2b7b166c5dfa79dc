package dev.midcourse.ledger.schedule;

import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import java.time.Instant;

/** The changes of schedules in one transaction. */
public interface ScheduleWriter extends ScheduleReader {
  /** Inserts or replaces the schedule. */
  void put(Schedule schedule);

  /** Stores what became of a due time. The transaction fails if that is stored already. */
  void put(ScheduleRun run);

  /**
   * Deletes what became of due times before the instant, and schedules that ended without any since
   * then.
   */
  void prune(Instant before);
}
