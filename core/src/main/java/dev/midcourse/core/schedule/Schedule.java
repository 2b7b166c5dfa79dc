package dev.midcourse.core.schedule;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A prompt that is given at certain times.
 *
 * @param check a program that decides at each due time whether an agent is woken
 * @param createdBy the author of the runs, too
 * @param nextAt the next due time; present exactly while the schedule is active
 */
public record Schedule(
    ScheduleId id,
    String name,
    ScheduleTarget target,
    String prompt,
    Timing timing,
    ZoneId zone,
    MissedTimePolicy missed,
    Optional<CheckCommand> check,
    ScheduleState state,
    Author createdBy,
    Instant createdAt,
    Optional<Instant> nextAt) {
  private static final int MAX_NAME = 80;

  public Schedule {
    if (prompt.isBlank()) {
      throw Problem.invalid("prompt", "not blank", "the prompt is blank").refused();
    }
    if (Utf8.longerThan(prompt, RunSpec.MAX_PROMPT_BYTES / 2) || !Utf8.isWhole(prompt)) {
      throw Problem.invalid(
              "prompt", "plain text of at most 512 KiB", "the prompt is too long or not plain text")
          .refused();
    }
    if (name.isBlank() || name.length() > MAX_NAME) {
      String rule = "1 to " + MAX_NAME + " characters";
      throw Problem.invalid("name", rule, "name must have " + rule).refused();
    }
    if ((state == ScheduleState.ACTIVE) != nextAt.isPresent()) {
      throw new IllegalArgumentException("a schedule has a next time exactly while it is active");
    }
  }

  /** The name of a schedule that was given none: the first line of the prompt. */
  public static String nameOf(String prompt) {
    return WireNames.cut(prompt.strip().lines().findFirst().orElse("schedule"), MAX_NAME);
  }

  /** The same schedule, active with the next time; ended if there is none. */
  public Schedule withNext(Optional<Instant> next) {
    return with(next.isPresent() ? ScheduleState.ACTIVE : ScheduleState.ENDED, next);
  }

  /** Paused or ended: without a next time. */
  public Schedule without(ScheduleState inactive) {
    return with(inactive, Optional.empty());
  }

  private Schedule with(ScheduleState newState, Optional<Instant> next) {
    return new Schedule(
        id, name, target, prompt, timing, zone, missed, check, newState, createdBy, createdAt,
        next);
  }

  /** The first due time after the instant. */
  public Optional<Instant> nextAfter(Instant after) {
    return ScheduleTimes.next(timing, zone, after);
  }
}
