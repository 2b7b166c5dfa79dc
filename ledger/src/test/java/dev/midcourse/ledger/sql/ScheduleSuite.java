package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.schedule.CheckCommand;
import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.core.schedule.ScheduleState;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.schedule.Timing;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Ledger.Query;
import dev.midcourse.ledger.schedule.ScheduleReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Schedules and their due times in a store. */
public abstract class ScheduleSuite extends StoreSuite {
  private static final Instant NOW = Instant.parse("2026-11-18T08:00:00.123456789Z");
  private static final WorkerName WORKER = WorkerName.of("w");

  private static Schedule schedule(String id, ScheduleTarget target, Timing timing) {
    return new Schedule(
        ScheduleId.of(id),
        "näme of " + id,
        target,
        "Summarise\n'open' issues 🧭",
        timing,
        ZoneId.of("Europe/Berlin"),
        MissedTimePolicy.ALL,
        Optional.of(new CheckCommand("/a b/check.sh")),
        ScheduleState.ACTIVE,
        Author.person("cli"),
        NOW,
        Optional.of(NOW.plusSeconds(60)));
  }

  private static Schedule plain(String id) {
    return schedule(
        id,
        new ScheduleTarget.OfWorker(WORKER, Optional.empty(), Optional.empty()),
        Timing.Cron.of("0 9 * * 1-5"));
  }

  private void put(Schedule schedule) {
    ledger.write(tx -> {
      tx.schedules().put(schedule);
      return schedule;
    });
  }

  private <T> T ask(Function<ScheduleReader, T> question) {
    Query<T> query = reading -> question.apply(reading.schedules());
    return ledger.read(query);
  }

  private static ScheduleRun run(Schedule schedule, Instant due, String run) {
    return new ScheduleRun(
        schedule.id(), due, due.plusMillis(3), Optional.of(RunId.of(run)), "why 'not'");
  }

  @Test
  void schedules_of_all_kinds_come_back_as_they_were_stored() {
    Schedule cron =
        schedule(
            "a",
            new ScheduleTarget.OfWorker(
                WORKER, Optional.of(AgentName.of("claude")), Optional.of("/src/x y")),
            Timing.Cron.of("*/20 0 9 * * 1-5"));
    Schedule once =
        schedule(
            "b",
            new ScheduleTarget.OfConversation(ConversationId.of("c-1"), WORKER),
            new Timing.Once(NOW.plusSeconds(60)));
    Schedule every =
        schedule(
            "c",
            new ScheduleTarget.OfWorker(WORKER, Optional.empty(), Optional.empty()),
            new Timing.Every(Duration.ofMinutes(15), NOW));
    for (Schedule schedule : List.of(cron, once, every)) {
      put(schedule);
    }
    reopen();
    for (Schedule schedule : List.of(cron, once, every)) {
      assertThat(this.<Optional<Schedule>>ask(it -> it.schedule(schedule.id()))).contains(schedule);
    }
    assertThat(this.<Optional<Schedule>>ask(it -> it.schedule(ScheduleId.of("d")))).isEmpty();
  }

  @Test
  void the_list_has_active_ones_by_time_then_ended_if_asked_then_paused() {
    Schedule late = plain("a").withNext(Optional.of(NOW.plusSeconds(90)));
    Schedule soon = plain("b").withNext(Optional.of(NOW.plusSeconds(30)));
    Schedule paused = plain("c").without(ScheduleState.PAUSED);
    Schedule ended = plain("d").without(ScheduleState.ENDED);
    assertThat(this.<Boolean>ask(ScheduleReader::hasActive)).isFalse();
    List.of(ended, paused, late, soon).forEach(this::put);
    assertThat(this.<List<Schedule>>ask(it -> it.schedules(false)))
        .containsExactly(soon, late, paused);
    assertThat(this.<List<Schedule>>ask(it -> it.schedules(true)))
        .containsExactlyInAnyOrder(soon, late, paused, ended);
    assertThat(this.<Boolean>ask(ScheduleReader::hasActive)).isTrue();
  }

  /** Seen to fail when the statement replaces the row of the due time. */
  @Test
  void a_due_time_is_stored_once_and_the_second_transaction_changes_nothing() {
    Schedule schedule = plain("a");
    put(schedule);
    ScheduleRun first = run(schedule, NOW, "run-1");
    ledger.write(tx -> {
      tx.schedules().put(first);
      return first;
    });
    assertThatThrownBy(() ->
            ledger.write(tx -> {
              tx.schedules().put(schedule.without(ScheduleState.PAUSED));
              tx.schedules().put(run(schedule, NOW, "run-2"));
              return schedule;
            }))
        .isInstanceOf(RuntimeException.class);
    assertThat(this.<List<ScheduleRun>>ask(it -> it.runs(schedule.id(), 9))).containsExactly(first);
    assertThat(this.<Optional<Schedule>>ask(it -> it.schedule(schedule.id()))).contains(schedule);
    assertThat(this.<Optional<ScheduleId>>ask(it -> it.scheduleOf(RunId.of("run-1"))))
        .contains(schedule.id());
    assertThat(this.<Optional<ScheduleId>>ask(it -> it.scheduleOf(RunId.of("run-2")))).isEmpty();
  }

  @Test
  void due_times_come_newest_first_and_a_transaction_sees_its_own() {
    Schedule schedule = plain("a");
    put(schedule);
    ScheduleRun none =
        new ScheduleRun(
            schedule.id(), NOW.plusSeconds(9), NOW.plusSeconds(10), Optional.empty(), "missed");
    ledger.write(tx -> {
      tx.schedules().put(run(schedule, NOW, "run-1"));
      assertThat(tx.schedules().run(schedule.id(), NOW)).isPresent();
      assertThat(tx.schedules().run(schedule.id(), NOW.plusNanos(1))).isEmpty();
      tx.schedules().put(none);
      return schedule;
    });
    assertThat(this.<List<ScheduleRun>>ask(it -> it.runs(schedule.id(), 9)))
        .containsExactly(none, run(schedule, NOW, "run-1"));
    assertThat(this.<List<ScheduleRun>>ask(it -> it.runs(schedule.id(), 1))).containsExactly(none);
    assertThat(this.<Optional<RunId>>ask(it -> it.newestRun(schedule.id())))
        .contains(RunId.of("run-1"));
  }

  @Test
  void pruning_deletes_old_due_times_and_ended_schedules_without_new_ones() {
    Schedule active = plain("a");
    Schedule ended = plain("b").without(ScheduleState.ENDED);
    Schedule endedLately = plain("c").without(ScheduleState.ENDED);
    List.of(active, ended, endedLately).forEach(this::put);
    ScheduleRun lately = run(endedLately, NOW.plusSeconds(900), "run-3");
    ledger.write(tx -> {
      tx.schedules().put(run(active, NOW, "run-1"));
      tx.schedules().put(run(ended, NOW, "run-2"));
      tx.schedules().put(lately);
      return active;
    });
    ledger.prune(NOW.plusSeconds(60));
    assertThat(this.<List<Schedule>>ask(it -> it.schedules(true)))
        .containsExactlyInAnyOrder(active, endedLately);
    assertThat(this.<List<ScheduleRun>>ask(it -> it.runs(active.id(), 9))).isEmpty();
    assertThat(this.<List<ScheduleRun>>ask(it -> it.runs(endedLately.id(), 9)))
        .containsExactly(lately);
  }
}
