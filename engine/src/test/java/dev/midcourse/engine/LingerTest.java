package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.ReceiptRung;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.ledger.Log;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run with a linger keeps its agent between two turns, and blocks nothing while it is idle. */
class LingerTest {
  private static final WorkerName LANE = WorkerName.of("jarvis-worker-1");
  private static final WorkerName OTHER = WorkerName.of("jarvis-worker-2");
  private static final Duration LINGER = Duration.ofMinutes(10);
  private static final AgentQuota QUOTA =
      new AgentQuota(
          Optional.of(2),
          new Limits(Optional.of(Duration.ofHours(2)), Optional.of(1_000L), Optional.empty()));

  private ScriptedAgent puppet;
  private ManualClock clock;
  private EngineFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    puppet = new ScriptedAgent();
    clock = new ManualClock();
    clock.stop();
    fixture = new EngineFixture(folder, puppet, clock, StallPolicy.DEFAULT, QUOTA);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** A run of this worker whose first turn has been answered with "built". */
  private Run idle(WorkerName worker) {
    return idle(worker, LINGER);
  }

  private Run idle(WorkerName worker, Duration linger) {
    Run run = puppet.running(fixture, fixture.lingering("build it for " + worker, worker, linger));
    puppet.ends("built");
    await().until(() -> fixture.now(run.id()).idle().isPresent());
    return run;
  }

  /** Moves the clock, and wakes the supervisors, which sleep by the clock of the machine. */
  private void pass(Duration time) {
    clock.move(time);
    fixture.engine().runs().wake();
  }

  private void assertAnswered(Receipt steer) {
    assertThat(fixture.awaitEnd(steer.steerId()).rungs())
        .extracting(ReceiptRung::rung)
        .contains(Rung.INJECTED, Rung.ANSWERED);
  }

  private <T extends RunEvent> List<T> events(Run run, Class<T> kind) {
    return fixture.ledger.log().after(0, Log.Filter.of(run.id(), kind), 1_000).entries().stream()
        .map(entry -> kind.cast(entry.event()))
        .toList();
  }

  @Test
  void after_its_turn_the_run_is_idle_and_its_agent_stays() {
    Run run = idle(LANE);

    Run now = fixture.now(run.id());
    assertThat(now.state()).isEqualTo(RunState.RUNNING);
    assertThat(now.idle()).contains(IdlePeriod.after(clock.instant(), LINGER));
    assertThat(puppet.told).doesNotContain("end");
    assertThat(events(run, RunEvent.Idle.class))
        .containsExactly(new RunEvent.Idle(1, 1, clock.instant().plus(LINGER)));
  }

  @Test
  void the_answer_of_a_turn_is_in_the_log_when_the_turn_ends() {
    Run run = idle(LANE);

    assertThat(events(run, RunEvent.TurnEnded.class))
        .containsExactly(new RunEvent.TurnEnded(1, 1, TurnEnd.COMPLETED, "", Optional.of("built")));
  }

  @Test
  void a_run_without_a_linger_ends_with_its_turn() {
    Run run = puppet.running(fixture, "build it");
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(fixture.kinds(run.id())).doesNotContain("idle");
  }

  @Test
  void a_turn_that_failed_ends_its_run_despite_the_linger() {
    Run run = puppet.running(fixture, fixture.lingering("build it", LANE, LINGER));
    puppet.says(new AgentEvent.TurnEnded(TurnEnd.ERROR, "no model", ""));
    fixture.awaitState(run.id(), RunState.FAILED);
  }

  @ParameterizedTest
  @EnumSource(
      value = SteerMode.class,
      names = {"STEER", "INTERRUPT", "FOLLOW_UP"})
  void a_steer_of_any_mode_opens_the_next_turn_in_the_same_process(SteerMode mode) {
    Run run = idle(LANE);
    Receipt steer = fixture.steer(run, "now the tests", mode);
    assertThat(puppet.awaitMessage("prompt 2:")).contains("now the tests");
    await().until(() -> fixture.now(run.id()).idle().isEmpty());
    puppet.begins(2);
    puppet.ends("tested");

    assertAnswered(steer);
    await().until(() -> fixture.now(run.id()).idle().isPresent());
    assertThat(puppet.starts).hasSize(1);
    assertThat(fixture.kinds(run.id())).contains("idle_over");
    assertThat(events(run, RunEvent.TurnEnded.class))
        .extracting(RunEvent.TurnEnded::answer)
        .containsExactly(Optional.of("built"), Optional.of("tested"));
  }

  @Test
  void guidance_for_the_next_call_waits_for_a_message_that_opens_a_turn() {
    Run run = idle(LANE);
    fixture.steer(run, "in English", SteerMode.NEXT);
    fixture.steer(run, "now the tests");
    assertThat(puppet.awaitMessage("prompt 2:")).contains("in English", "now the tests");
  }

  @Test
  void the_run_is_done_when_its_linger_is_over() {
    Run run = idle(LANE);
    pass(LINGER);

    Run ended = fixture.awaitState(run.id(), RunState.DONE);
    assertThat(ended.result()).contains("built");
    assertThat(ended.idle()).isEmpty();
    assertThat(ended.idled()).isEqualTo(LINGER);
    await().until(() -> puppet.told.contains("end"));
  }

  /** Its supervisor does not know the steer: only the transaction that ends the run can find it. */
  @Test
  void a_steer_that_was_stored_in_the_moment_of_the_end_opens_the_next_turn() {
    Run run = idle(LANE);
    SteerService elsewhere =
        new SteerService(fixture.parts(ProgressPolicy.DEFAULT), _ -> Optional.empty(), () -> {});
    Receipt late =
        elsewhere
            .submit(run.id(), EngineFixture.PERSON, SteerRequest.steer("just in time"))
            .receipt();
    pass(LINGER);

    assertThat(puppet.awaitMessage("prompt 2:")).contains("just in time");
    puppet.begins(2);
    puppet.ends("done too");
    assertAnswered(late);
    assertThat(fixture.now(run.id()).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_stop_ends_an_idle_agent() {
    Run run = idle(LANE);
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    fixture.awaitState(run.id(), RunState.STOPPED);
    assertThat(puppet.alive()).isFalse();
  }

  @Test
  void the_next_hub_finds_the_idle_agent_and_keeps_its_deadline() {
    Run run = idle(LANE);
    Optional<IdlePeriod> before = fixture.now(run.id()).idle();
    clock.move(Duration.ofMinutes(4));
    fixture.restartHub();
    await().until(() -> fixture.kinds(run.id()).contains("agent_found"));
    assertThat(fixture.now(run.id()).idle()).isEqualTo(before);

    fixture.steer(run, "now the tests");
    puppet.awaitMessage("prompt 2:");
    puppet.begins(2);
    puppet.ends("tested");
    await().until(() -> fixture.now(run.id()).idle().isPresent());
    assertThat(puppet.starts).hasSize(1);
  }

  @Test
  void a_linger_that_was_over_while_no_hub_ran_ends_the_run_at_the_next_start() {
    Run run = idle(LANE);
    fixture.engine().close();
    clock.move(LINGER);
    fixture.restartHub();
    fixture.awaitState(run.id(), RunState.DONE);
  }

  @Test
  void an_idle_agent_that_exits_ends_the_run_as_done() {
    Run run = idle(LANE);
    puppet.dies();
    assertThat(fixture.awaitState(run.id(), RunState.DONE).result()).contains("built");
    assertThat(puppet.starts).hasSize(1);
  }

  @Test
  void idle_time_raises_no_alarm_and_the_next_turn_is_watched_again() {
    Run run = idle(LANE, Duration.ofHours(10));
    pass(Duration.ofHours(5));
    fixture.steer(run, "now the tests");
    puppet.awaitMessage("prompt 2:");
    puppet.begins(2);
    await().until(() -> events(run, RunEvent.TurnStarted.class).size() == 2);
    assertThat(fixture.now(run.id()).idle()).isEmpty();
    assertThat(fixture.kinds(run.id())).doesNotContain("quiet", "attempt_lost");

    pass(Duration.ofMinutes(11));
    await().until(() -> fixture.now(run.id()).needs().equals(Optional.of(new Need.Quiet())));
    pass(Duration.ofMinutes(20));
    await().until(() -> fixture.kinds(run.id()).contains("attempt_lost"));
  }

  @Test
  void a_turn_that_ends_a_long_silence_leaves_no_alarm_to_the_idle_run() {
    Run run = puppet.running(fixture, fixture.lingering("build it", LANE, LINGER));
    pass(Duration.ofMinutes(11));
    await().until(() -> fixture.now(run.id()).needs().equals(Optional.of(new Need.Quiet())));
    clock.move(Duration.ofSeconds(1));
    puppet.ends("built");
    await().until(() -> fixture.now(run.id()).idle().isPresent());
    await().until(() -> fixture.now(run.id()).needs().isEmpty());
  }

  @Test
  void the_time_limit_does_not_count_idle_time() {
    Run run = idle(LANE, Duration.ofHours(10));
    pass(Duration.ofHours(5));
    fixture.steer(run, "now the tests");
    puppet.awaitMessage("prompt 2:");
    puppet.begins(2);
    await().until(() -> fixture.now(run.id()).idle().isEmpty());
    assertThat(fixture.now(run.id()).state()).isEqualTo(RunState.RUNNING);
    for (int minutes = 0; minutes < 120; minutes += 5) {
      puppet.says(new AgentEvent.Said("working"));
      pass(Duration.ofMinutes(5));
    }
    assertThat(fixture.awaitState(run.id(), RunState.FAILED_TIMEOUT).result())
        .contains("limit of agent puppet: it ran for 7200 s; the limit is 7200 s");
  }

  @Test
  void a_run_that_has_used_its_tokens_does_not_wait_for_a_turn_that_it_may_not_have() {
    Run run = puppet.running(fixture, fixture.lingering("build it", LANE, LINGER));
    puppet.says(
        new AgentEvent.Used(new Usage(1_000, 0, 0)),
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "built"));
    fixture.awaitState(run.id(), RunState.DONE);
  }

  @Test
  void an_idle_run_ends_for_a_queued_run_of_its_worker() {
    Run first = idle(LANE);
    Run second = fixture.run("two", PendingPolicy.ALL, LANE);
    puppet.awaitMessage("prompt 1: two");

    assertThat(fixture.awaitState(first.id(), RunState.DONE).result()).contains("built");
    assertThat(events(first, RunEvent.Noted.class))
        .extracting(RunEvent.Noted::text)
        .containsExactly(
            "ended before its linger was over: run " + second.id() + " needs its place");
  }

  @Test
  void a_run_that_becomes_idle_makes_room_for_a_run_that_was_queued_before() {
    Run first = puppet.running(fixture, fixture.lingering("one", LANE, LINGER));
    fixture.run("two", PendingPolicy.ALL, LANE);
    assertThat(fixture.now(first.id()).state()).isEqualTo(RunState.RUNNING);
    puppet.ends("built");
    puppet.awaitMessage("prompt 1: two");
    fixture.awaitState(first.id(), RunState.DONE);
  }

  @Test
  void a_run_of_another_worker_leaves_an_idle_run_alone_while_there_is_room() {
    Run idle = idle(LANE);
    fixture.run("two", PendingPolicy.ALL, OTHER);
    puppet.awaitMessage("prompt 1: two");
    assertThat(fixture.now(idle.id()).idle()).isPresent();
  }

  @Test
  void of_two_idle_runs_the_one_that_is_idle_for_longer_ends_for_the_quota_of_the_agent() {
    puppet.exitingSilently(); // the runs of a test share the agent
    Run longer = idle(LANE);
    clock.move(Duration.ofSeconds(1));
    Run shorter = idle(OTHER);
    fixture.run("three");
    puppet.awaitMessage("prompt 1: three");
    fixture.awaitState(longer.id(), RunState.DONE);
    assertThat(fixture.now(shorter.id()).idle()).isPresent();
  }

  @Test
  void a_run_that_gives_way_goes_on_if_it_has_a_steer() {
    Run first = idle(LANE);
    SteerService elsewhere =
        new SteerService(fixture.parts(ProgressPolicy.DEFAULT), _ -> Optional.empty(), () -> {});
    elsewhere.submit(first.id(), EngineFixture.PERSON, SteerRequest.steer("just in time"));
    Run second = fixture.run("two", PendingPolicy.ALL, LANE);
    assertThat(puppet.awaitMessage("prompt 2:")).contains("just in time");
    assertThat(fixture.now(second.id()).state()).isEqualTo(RunState.QUEUED);

    puppet.begins(2);
    puppet.ends("done too");
    puppet.awaitMessage("prompt 1: two");
  }
}
