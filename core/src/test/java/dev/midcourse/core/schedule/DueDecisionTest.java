package dev.midcourse.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DueDecisionTest {
  private static final Instant NINE = Instant.parse("2026-11-18T08:00:00Z");

  private static Schedule schedule(String cron, MissedTimePolicy missed) {
    return schedule(Timing.Cron.of(cron), missed);
  }

  private static Schedule schedule(Timing timing, MissedTimePolicy missed) {
    return new Schedule(
        ScheduleId.of("summary-abcd"),
        "summary",
        new ScheduleTarget.OfWorker(WorkerName.of("w"), Optional.empty(), Optional.empty()),
        "Summarise",
        timing,
        ZoneId.of("Europe/Berlin"),
        missed,
        Optional.empty(),
        ScheduleState.ACTIVE,
        Author.person("test"),
        NINE.minusSeconds(86_400),
        Optional.of(NINE));
  }

  private static Optional<Instant> at(String time) {
    return Optional.of(Instant.parse(time));
  }

  @ParameterizedTest
  @EnumSource(MissedTimePolicy.class)
  void a_due_time_on_time_gives_the_prompt_and_arms_the_next_one(MissedTimePolicy missed) {
    Schedule hourly = schedule("0 * * * *", missed);
    assertThat(DueDecision.decide(hourly, NINE.minusNanos(1))).isEqualTo(new DueDecision.Wait());
    assertThat(DueDecision.decide(hourly, NINE.plusSeconds(3)))
        .isEqualTo(new DueDecision.Fire(NINE, 0, at("2026-11-18T09:00:00Z")));
  }

  @ParameterizedTest
  @EnumSource(
      value = ScheduleState.class,
      names = {"PAUSED", "ENDED"})
  void a_schedule_that_is_not_active_waits(ScheduleState state) {
    Schedule inactive = schedule("0 * * * *", MissedTimePolicy.ALL).without(state);
    assertThat(DueDecision.decide(inactive, NINE.plusSeconds(9))).isEqualTo(new DueDecision.Wait());
  }

  @Test
  void once_lets_one_run_stand_for_all_missed_times() {
    assertThat(
            DueDecision.decide(
                schedule("0 * * * *", MissedTimePolicy.ONCE), NINE.plusSeconds(3 * 3_600 + 120)))
        .isEqualTo(new DueDecision.Fire(NINE, 3, at("2026-11-18T12:00:00Z")));
  }

  @Test
  void skip_leaves_missed_times_out_and_keeps_one_that_is_still_on_time() {
    assertThat(
            DueDecision.decide(
                schedule("0 * * * *", MissedTimePolicy.SKIP), NINE.plusSeconds(3 * 3_600 + 120)))
        .isEqualTo(new DueDecision.Skip(NINE, 3, at("2026-11-18T12:00:00Z")));
    assertThat(
            DueDecision.decide(
                schedule("0 * * * *", MissedTimePolicy.SKIP), NINE.plusSeconds(3 * 3_600 + 30)))
        .isEqualTo(new DueDecision.Skip(NINE, 2, at("2026-11-18T11:00:00Z")));
  }

  @Test
  void all_takes_missed_times_one_by_one() {
    assertThat(
            DueDecision.decide(
                schedule("0 * * * *", MissedTimePolicy.ALL), NINE.plusSeconds(3 * 3_600 + 120)))
        .isEqualTo(new DueDecision.Fire(NINE, 0, at("2026-11-18T09:00:00Z")));
  }

  @Test
  void all_lets_one_run_stand_for_more_than_a_hundred() {
    assertThat(
            DueDecision.decide(
                schedule("* * * * *", MissedTimePolicy.ALL), NINE.plusSeconds(86_400)))
        .isEqualTo(new DueDecision.Fire(NINE, 100, at("2026-11-19T08:01:00Z")));
  }

  @ParameterizedTest
  @EnumSource(MissedTimePolicy.class)
  void a_single_time_ends_the_schedule(MissedTimePolicy missed) {
    Schedule once = schedule(new Timing.Once(NINE), missed);
    assertThat(DueDecision.decide(once, NINE))
        .isEqualTo(new DueDecision.Fire(NINE, 0, Optional.empty()));
    assertThat(once.withNext(Optional.empty()).state()).isEqualTo(ScheduleState.ENDED);
  }

  @Test
  void a_single_time_that_was_missed_is_skipped_under_skip() {
    Schedule once = schedule(new Timing.Once(NINE), MissedTimePolicy.SKIP);
    assertThat(DueDecision.decide(once, NINE.plusSeconds(3_600)))
        .isEqualTo(new DueDecision.Skip(NINE, 0, Optional.empty()));
  }

  /** Seen to fail when the time is formatted in UTC. */
  @Test
  void t106_the_prompt_names_the_due_time_in_the_zone_of_the_schedule() {
    Schedule schedule = schedule("0 9 * * *", MissedTimePolicy.ONCE);
    assertThat(SchedulePrompt.text(schedule, NINE, Optional.empty()))
        .isEqualTo(
            "[Scheduled task summary-abcd, due Nov 18, 2026, 9:00 AM, Europe/Berlin]\n\nSummarise");
    assertThat(SchedulePrompt.text(schedule, NINE, Optional.of("{\"n\":1}")))
        .endsWith("Summarise\n\nData of the check:\n{\"n\":1}");
  }

  @Test
  void a_check_wakes_an_agent_only_by_its_last_line() {
    assertThat(CheckResult.parse("noise\n{\"wake_agent\": true, \"data\": {\"n\": 1}}\n\n"))
        .isEqualTo(new CheckResult.Wake(Optional.of("{\"n\":1}")));
    assertThat(CheckResult.parse("{\"wake_agent\":true}"))
        .isEqualTo(new CheckResult.Wake(Optional.empty()));
    assertThat(CheckResult.parse("{\"wake_agent\":true}\n{\"wake_agent\":false}"))
        .isEqualTo(new CheckResult.Quiet("the check decided so"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "yes",
        "true",
        "[]",
        "{}",
        "{\"wake_agent\": \"true\"}",
        "{\"wake_agent\": 1}",
        "{\"wake_agent\": true",
        "{\"wakeAgent\": true}",
        "{\"wake_agent\": true}\ndone"
      })
  void any_other_output_of_a_check_wakes_nobody(String output) {
    assertThat(CheckResult.parse(output)).isInstanceOf(CheckResult.Quiet.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "check.sh", "./check.sh", "/a\0b"})
  void a_check_is_named_by_an_absolute_path(String path) {
    assertThatThrownBy(() -> new CheckCommand(path)).isInstanceOf(RefusedException.class);
  }
}
