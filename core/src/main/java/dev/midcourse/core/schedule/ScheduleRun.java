package dev.midcourse.core.schedule;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of a due time. A schedule has at most one for each due time.
 *
 * @param firedAt when the schedule was carried out
 * @param run the run that was started; empty if none was
 * @param reason why no run was started, or what else is to be known; may be empty
 */
public record ScheduleRun(
    ScheduleId schedule, Instant due, Instant firedAt, Optional<RunId> run, String reason) {}
