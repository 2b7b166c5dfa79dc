package dev.midcourse.engine.schedule;

import static dev.midcourse.engine.schedule.ScheduleFixture.PERSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleState;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.steer.Author;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules with a clock that the test moves; it begins at 8:00 in Berlin. */
class ScheduleServiceTest {
  private static final Instant NINE = Instant.parse("2026-11-18T08:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path folder;
  private ScheduleFixture fixture;

  @BeforeEach
  void open() {
    fixture = new ScheduleFixture(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Schedule daily() {
    return fixture.add("0 9 * * *", MissedTimePolicy.ONCE);
  }

  private void finish(RunId run) {
    fixture.agent.awaitMessage("prompt 1: ");
    fixture.agent.begins(1);
    fixture.agent.ends("done");
    fixture.engine.awaitState(run, RunState.DONE);
  }

  @Test
  void a_due_time_starts_one_run_with_the_prompt_and_sets_the_next_time() {
    Schedule schedule = daily();
    assertThat(schedule.nextAt()).contains(NINE);
    fixture.timers.moveTo(NINE.minusSeconds(1));
    assertThat(fixture.runs(schedule.id())).isEmpty();
    fixture.timers.moveTo(NINE);
    assertThat(fixture.started(schedule.id())).hasSize(1);
    assertThat(fixture.agent.awaitMessage("prompt 1: "))
        .isEqualTo(
            "prompt 1: [Scheduled task "
                + schedule.id()
                + ", due Nov 18, 2026, 9:00 AM, Europe/Berlin]\n\nSummarise open issues");
    assertThat(fixture.now(schedule.id()).nextAt()).contains(NINE.plus(DAY));
    RunId run = fixture.started(schedule.id()).getFirst();
    assertThat(fixture.engine.now(run).spec().author())
        .isEqualTo(new Author(PERSON.group(), "schedule"));
    fixture.timers.move(DAY.minusSeconds(1));
    assertThat(fixture.started(schedule.id())).hasSize(1);
  }

  /** Seen to fail when the next time is set only after a run that ended well. */
  @Test
  void t116_a_run_that_failed_or_could_not_start_does_not_stop_the_schedule() {
    Schedule schedule = daily();
    fixture.timers.moveTo(NINE);
    RunId first = fixture.started(schedule.id()).getFirst();
    fixture.agent.awaitMessage("prompt 1: ");
    fixture.agent.givesUp();
    fixture.engine.awaitState(first, RunState.FAILED);

    fixture.beforeStart =
        () -> {
          throw Problem.of(Code.UNSUPPORTED, "agent", "an agent", "puppet is not installed")
              .refused();
        };
    fixture.timers.move(DAY);
    assertThat(fixture.runs(schedule.id()).getLast().reason()).isEqualTo("puppet is not installed");
    fixture.beforeStart = () -> {};
    fixture.timers.move(DAY);
    assertThat(fixture.started(schedule.id())).hasSize(2);
    assertThat(fixture.now(schedule.id()).nextAt()).contains(NINE.plus(DAY.multipliedBy(3)));
  }

  /** Seen to fail when update keeps the next time. */
  @Test
  void t116_an_update_of_the_expression_moves_the_next_time() {
    Schedule schedule = daily();
    ScheduleUpdate later =
        new ScheduleUpdate(
            Optional.empty(),
            Optional.of("Count open issues"),
            Optional.of(_ -> Timing.Cron.of("0 11 * * *")),
            Optional.empty(),
            Optional.empty(),
            UnaryOperator.identity());
    Schedule updated = fixture.service.update(schedule.id(), later);
    assertThat(updated.nextAt()).contains(NINE.plus(Duration.ofHours(2)));
    fixture.timers.moveTo(NINE.plusSeconds(60));
    assertThat(fixture.runs(schedule.id())).isEmpty();
    fixture.timers.moveTo(NINE.plus(Duration.ofHours(2)));
    assertThat(fixture.agent.awaitMessage("prompt 1: ")).endsWith("Count open issues");
  }

  /** Seen to fail when a policy that is not named becomes the default one. */
  @Test
  void t147_an_update_leaves_what_it_does_not_name() {
    Schedule before = fixture.add("0 9 * * *", MissedTimePolicy.ALL);
    ScheduleUpdate renamed =
        new ScheduleUpdate(
            Optional.of("another name"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            UnaryOperator.identity());
    Schedule after = fixture.service.update(before.id(), renamed);
    assertThat(after.name()).isEqualTo("another name");
    assertThat(after).usingRecursiveComparison().ignoringFields("name").isEqualTo(before);
  }

  @Test
  void an_update_of_the_zone_moves_the_next_time() {
    ScheduleUpdate tokyo =
        new ScheduleUpdate(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(ZoneId.of("Asia/Tokyo")),
            Optional.empty(),
            UnaryOperator.identity());
    assertThat(fixture.service.update(daily().id(), tokyo).nextAt())
        .contains(Instant.parse("2026-11-19T00:00:00Z"));
  }

  /** Seen to fail when a schedule that is resumed goes on from its creation. */
  @Test
  void t146_a_paused_schedule_starts_nothing_and_its_times_are_not_missed() {
    Schedule schedule = fixture.add("0 9 * * *", MissedTimePolicy.ALL);
    fixture.service.pause(schedule.id());
    fixture.timers.move(DAY.multipliedBy(3));
    assertThat(fixture.runs(schedule.id())).isEmpty();
    Schedule resumed = fixture.service.resume(schedule.id());
    assertThat(resumed.nextAt()).contains(NINE.plus(DAY.multipliedBy(3)));
    assertThat(fixture.service.resume(schedule.id())).isEqualTo(resumed);
    fixture.timers.moveTo(NINE.plus(DAY.multipliedBy(3)));
    assertThat(fixture.started(schedule.id())).hasSize(1);
  }

  /** Seen to fail when a schedule that has ended can be resumed. */
  @Test
  void t146_a_cancelled_schedule_starts_nothing_and_is_not_changed_any_more() {
    Schedule schedule = daily();
    assertThat(fixture.service.cancel(schedule.id()).state()).isEqualTo(ScheduleState.ENDED);
    fixture.timers.move(DAY.multipliedBy(3));
    assertThat(fixture.runs(schedule.id())).isEmpty();
    assertThatThrownBy(() -> fixture.service.resume(schedule.id()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has ended");
    assertThatThrownBy(() -> fixture.service.runNow(schedule.id()))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> fixture.service.pause(ScheduleId.of("unknown")))
        .hasMessageContaining("not found");
  }

  @Test
  void a_single_time_starts_one_run_and_ends_the_schedule() {
    Timing once = Timing.Once.of("2026-11-18 09:30", ScheduleFixture.BERLIN);
    Schedule schedule =
        fixture.service.add(ScheduleFixture.order(once, MissedTimePolicy.ONCE), PERSON, false);
    fixture.timers.move(DAY);
    assertThat(fixture.started(schedule.id())).hasSize(1);
    assertThat(fixture.now(schedule.id()).state()).isEqualTo(ScheduleState.ENDED);
    assertThatThrownBy(() ->
            fixture.service.add(ScheduleFixture.order(once, MissedTimePolicy.ONCE), PERSON, false))
        .hasMessageContaining("has passed");
  }

  @Test
  void a_run_by_hand_leaves_the_next_time_as_it_is() {
    Schedule schedule = daily();
    ScheduleRun run = fixture.service.runNow(schedule.id());
    assertThat(run.reason()).isEqualTo("by hand");
    assertThat(fixture.now(schedule.id())).isEqualTo(schedule);
    finish(run.run().orElseThrow());
    fixture.timers.moveTo(NINE);
    assertThat(fixture.started(schedule.id())).hasSize(2);
  }

  @Test
  void missed_times_are_treated_by_the_policy_of_the_schedule() {
    Schedule once = fixture.add("0 9 * * *", MissedTimePolicy.ONCE);
    Schedule skip = fixture.add("0 9 * * *", MissedTimePolicy.SKIP);
    Schedule all = fixture.add("0 9 * * *", MissedTimePolicy.ALL);
    fixture.restartAt(NINE.plus(DAY.multipliedBy(2)).plusSeconds(3_600));
    assertThat(fixture.started(once.id())).hasSize(1);
    assertThat(fixture.runs(once.id()).getFirst().reason())
        .isEqualTo("stands for this time, and 2 later times");
    assertThat(fixture.started(skip.id())).isEmpty();
    assertThat(fixture.runs(skip.id()).getFirst().reason())
        .isEqualTo("missed while no hub ran, and 2 later times");
    assertThat(fixture.started(all.id())).hasSize(3);
    assertThat(fixture.runs(all.id()))
        .extracting(ScheduleRun::due)
        .containsExactly(NINE, NINE.plus(DAY), NINE.plus(DAY.multipliedBy(2)));
    for (Schedule schedule : List.of(once, skip, all)) {
      assertThat(fixture.now(schedule.id()).nextAt()).contains(NINE.plus(DAY.multipliedBy(3)));
    }
  }

  /** Seen to fail when the run that waits is not looked for. */
  @Test
  void a_schedule_whose_run_still_waits_starts_no_second_one() {
    Schedule blocking = daily();
    fixture.service.runNow(blocking.id());
    fixture.agent.awaitMessage("prompt 1: ");
    Schedule schedule = fixture.add("*/5 * * * *", MissedTimePolicy.ONCE);
    // Less than the silence after which the blocking run would be given up as stuck.
    fixture.timers.move(Duration.ofMinutes(15));
    assertThat(fixture.started(schedule.id())).hasSize(1);
    assertThat(fixture.runs(schedule.id()))
        .extracting(ScheduleRun::reason)
        .containsExactly("", waits(schedule), waits(schedule));
  }

  private String waits(Schedule schedule) {
    return "run "
        + fixture.started(schedule.id()).getFirst()
        + " of this schedule still waits in the queue";
  }

  @Test
  void a_store_that_fails_for_a_moment_delays_a_due_time_and_loses_none() {
    Schedule schedule = daily();
    fixture.beforeStart =
        () -> {
          throw Problem.of(Code.UNAVAILABLE, "ledger", "a disk", "the disk is full").refused();
        };
    fixture.timers.moveTo(NINE.plusSeconds(5));
    assertThat(fixture.runs(schedule.id())).isEmpty();
    fixture.beforeStart = () -> {};
    fixture.timers.move(Duration.ofSeconds(10));
    assertThat(fixture.started(schedule.id())).hasSize(1);
    assertThat(fixture.runs(schedule.id()).getFirst().due()).isEqualTo(NINE);
  }

  @Test
  void a_hub_without_conversations_records_that_the_prompt_went_nowhere() {
    ScheduleOrder order = ScheduleFixture.order(Timing.Cron.of("0 9 * * *"), MissedTimePolicy.ONCE);
    Schedule schedule =
        fixture.service.add(
            new ScheduleOrder(
                order.name(),
                new ScheduleTarget.OfConversation(ConversationId.of("c-1"), ScheduleFixture.LANE),
                order.prompt(),
                order.timing(),
                order.zone(),
                order.missed(),
                order.check()),
            PERSON,
            false);
    fixture.timers.moveTo(NINE);
    assertThat(fixture.runs(schedule.id()))
        .extracting(ScheduleRun::reason)
        .containsExactly("this hub has no conversations");
  }

  @Test
  void an_agent_can_add_a_limited_number_of_schedules() {
    ScheduleOrder order = ScheduleFixture.order(Timing.Cron.of("0 9 * * *"), MissedTimePolicy.ONCE);
    Author agent = new Author(PERSON.group(), "agent");
    for (int i = 0; i < ScheduleService.MAX_SCHEDULES_OF_AGENT; i++) {
      fixture.service.add(order, agent, true);
    }
    assertThatThrownBy(() -> fixture.service.add(order, agent, true))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().code()).isEqualTo(Code.LIMIT));
    fixture.service.add(order, PERSON, false);
  }

  private Path script(String text) throws IOException {
    Path script = folder.resolve("check.sh");
    Files.writeString(script, "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private Schedule checked(String script) throws IOException {
    return fixture.service.add(ScheduleFixture.checked(script(script)), PERSON, false);
  }

  @Test
  void a_check_that_wakes_the_agent_adds_its_data_to_the_prompt() throws IOException {
    Schedule schedule =
        checked(
            "echo looking at $MIDCOURSE_SCHEDULE, due $MIDCOURSE_DUE >&2; echo noise;"
                + " echo '{\"wake_agent\": true, \"data\": {\"open\": 3}}'");
    fixture.timers.moveTo(NINE);
    assertThat(fixture.started(schedule.id())).hasSize(1);
    assertThat(fixture.agent.awaitMessage("prompt 1: "))
        .endsWith("Summarise open issues\n\nData of the check:\n{\"open\":3}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo '{\"wake_agent\": false}' | the check decided so",
        "echo hello | the last line of the check is not {\"wake_agent\": true} or false",
        "exit 0 | the check printed nothing",
        "echo '{\"wake_agent\": true}'; exit 3 | the check failed with exit code 3",
      })
  void a_check_that_decides_otherwise_or_fails_wakes_nobody(String line) throws IOException {
    String[] parts = line.split(" \\| ", -1);
    Schedule schedule = checked(parts[0]);
    fixture.timers.moveTo(NINE);
    assertThat(fixture.runs(schedule.id()))
        .containsExactly(new ScheduleRun(schedule.id(), NINE, NINE, Optional.empty(), parts[1]));
    assertThat(fixture.now(schedule.id()).nextAt()).contains(NINE.plus(DAY));
    assertThat(fixture.agent.starts).isEmpty();
  }

  @Test
  void a_check_that_is_missing_or_writes_too_much_wakes_nobody() throws IOException {
    Schedule endless = checked("yes '{\"wake_agent\": true}'");
    Schedule missing =
        fixture.service.add(ScheduleFixture.checked(folder.resolve("none.sh")), PERSON, false);
    fixture.timers.moveTo(NINE);
    assertThat(fixture.runs(endless.id()).getFirst().reason())
        .startsWith("the check failed with exit code");
    assertThat(fixture.runs(missing.id()).getFirst().reason())
        .isEqualTo("the check failed with exit code 127");
  }

  @Test
  void a_check_that_takes_too_long_is_ended_with_its_children() throws IOException {
    Path started = folder.resolve("child.pid");
    Schedule schedule = checked("sleep 1000 & echo $! > " + started + "; wait");
    ScheduleService impatient =
        new ScheduleService(
            new ScheduleParts(
                fixture.engine.ledger,
                fixture.engine.engine().runs(),
                fixture.timers,
                fixture.timers,
                new Ids(new SecureRandom()),
                (_, _, _, _) -> {
                  throw new AssertionError("started");
                },
                ConversationEntry.none(),
                HubEnvironment.ofThisProcess()),
            Duration.ofSeconds(1));
    impatient.start();
    fixture.timers.moveTo(NINE);
    assertThat(fixture.runs(schedule.id()).getFirst().reason())
        .isEqualTo("the check took longer than 1 s and was ended");
    if (Files.exists(started)) {
      long child = Long.parseLong(Files.readString(started).strip());
      await().until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
    }
  }
}
