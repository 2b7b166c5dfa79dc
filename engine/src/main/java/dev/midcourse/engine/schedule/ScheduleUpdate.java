package dev.midcourse.engine.schedule;

import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.Timing;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A change of a schedule; what is empty stays as it is.
 *
 * @param timing makes the timing from the zone that the schedule has after the change
 * @param check the new check from the earlier one
 */
public record ScheduleUpdate(
    Optional<String> name,
    Optional<String> prompt,
    Optional<TimingFactory> timing,
    Optional<ZoneId> zone,
    Optional<MissedTimePolicy> missed,
    UnaryOperator<Optional<CheckCommand>> check) {

  /** Makes a timing for a zone, because a local time needs one. */
  @FunctionalInterface
  public interface TimingFactory {
    Timing in(ZoneId zone);
  }

  /** The changed schedule, still with its state and next time. */
  Schedule applyTo(Schedule old) {
    ZoneId newZone = zone.orElse(old.zone());
    return new Schedule(
        old.id(),
        name.orElse(old.name()),
        old.target(),
        prompt.orElse(old.prompt()),
        timing.map(factory -> factory.in(newZone)).orElse(old.timing()),
        newZone,
        missed.orElse(old.missed()),
        check.apply(old.check()),
        old.state(),
        old.createdBy(),
        old.createdAt(),
        old.nextAt());
  }
}
