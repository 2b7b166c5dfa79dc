package dev.midcourse.engine.schedule;

import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A schedule that is to be added.
 *
 * @param name empty for the first line of the prompt
 */
public record ScheduleOrder(
    Optional<String> name,
    ScheduleTarget target,
    String prompt,
    Timing timing,
    ZoneId zone,
    MissedTimePolicy missed,
    Optional<CheckCommand> check) {}
