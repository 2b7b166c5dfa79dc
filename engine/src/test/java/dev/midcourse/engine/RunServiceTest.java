package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.ReceiptRung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.StallPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs from the queue to their end, with a scripted agent. */
class RunServiceTest {
  private static final WorkerName LANE = WorkerName.of("jarvis-worker-1");

  private ScriptedAgent puppet;
  private ManualClock clock;
  private EngineFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    puppet = new ScriptedAgent();
    clock = new ManualClock();
    fixture = new EngineFixture(folder, puppet, clock, StallPolicy.DEFAULT);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Run running(String prompt) {
    return puppet.running(fixture, prompt);
  }

  private NewRun named(RunId id, Run like) {
    return new NewRun(Optional.of(id), like.spec());
  }

  @Test
  void a_worker_takes_one_run_at_a_time_in_the_order_of_the_queue() {
    Run first = fixture.run("one", PendingPolicy.ALL, LANE);
    puppet.awaitMessage("prompt 1: one");
    Run second = fixture.run("two", PendingPolicy.ALL, LANE);
    Run third = fixture.run("three", PendingPolicy.ALL, LANE);
    assertThat(fixture.now(second.id()).state()).isEqualTo(RunState.QUEUED);
    assertThat(fixture.ledger.<Integer>read(r -> r.placeInQueue(third))).isEqualTo(1);

    puppet.begins(1);
    puppet.ends("done");
    fixture.awaitState(first.id(), RunState.DONE);
    puppet.awaitMessage("prompt 1: two");
    assertThat(fixture.now(third.id()).state()).isEqualTo(RunState.QUEUED);
  }

  @Test
  void the_id_of_a_live_or_well_ended_run_is_refused_and_that_of_a_stopped_one_is_a_retry() {
    Run run = running("build it");
    assertThatThrownBy(() -> fixture.engine().runs().create(named(run.id(), run)))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().code()).isEqualTo(Code.DUPLICATE));
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    fixture.awaitState(run.id(), RunState.STOPPED);

    Run again = fixture.engine().runs().create(named(run.id(), run));
    assertThat(again.state()).isEqualTo(RunState.QUEUED);
    puppet.awaitMessage("prompt 2: build it");
    puppet.begins(2);
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThatThrownBy(() -> fixture.engine().runs().create(named(run.id(), run)))
        .isInstanceOf(RefusedException.class);
  }

  /** Seen to fail when queue takes an existing run for a retry. */
  @Test
  void a_transaction_of_a_caller_queues_a_run_with_its_own_rows_or_nothing() {
    RunSpec spec = running("build it").spec();
    RunService runs = fixture.engine().runs();
    RunId id = runs.freshId("second");
    Run queued =
        runs.reserving(
            spec.workspace(),
            () -> fixture.ledger.write(tx -> runs.queue(tx, id, spec, clock.instant())));
    runs.wake();
    assertThat(queued.state()).isEqualTo(RunState.QUEUED);
    await().until(() -> puppet.starts.size() == 2);

    RunId other = runs.freshId("third");
    assertThatThrownBy(() ->
            fixture.ledger.write(tx -> {
              runs.queue(tx, other, spec, clock.instant());
              return runs.queue(tx, id, spec, clock.instant());
            }))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().code()).isEqualTo(Code.DUPLICATE));
    assertThat(fixture.ledger.<Optional<Run>>read(r -> r.run(other))).isEmpty();
  }

  @Test
  void a_restart_with_another_prompt_continues_in_its_session() {
    Run run = running("build it");
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    fixture.awaitState(run.id(), RunState.STOPPED);
    fixture
        .engine()
        .runs()
        .restart(run.id(), Optional.of("only the tests"), false, EngineFixture.PERSON);

    assertThat(puppet.awaitMessage("prompt 2: ")).isEqualTo("prompt 2: only the tests");
    assertThat(puppet.starts.getLast().resume()).isPresent();
    assertThat(fixture.now(run.id()).attempt()).isEqualTo(2);
  }

  @Test
  void a_fresh_restart_begins_a_new_session() {
    Run run = running("build it");
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    fixture.awaitState(run.id(), RunState.STOPPED);
    fixture.engine().runs().restart(run.id(), Optional.empty(), true, EngineFixture.PERSON);

    puppet.awaitMessage("prompt 2: build it");
    assertThat(puppet.starts.getLast().resume()).isEmpty();
  }

  /** Seen to fail when StopIntake marks a queued run and leaves it in the queue. */
  @Test
  void t32_a_queued_run_that_is_stopped_never_starts_and_its_steers_say_so() {
    fixture.run("one", PendingPolicy.ALL, LANE);
    puppet.awaitMessage("prompt 1: one");
    Run queued = fixture.run("deploy", PendingPolicy.ALL, LANE);
    Receipt steer = fixture.steer(queued, "carefully");
    Receipt stop = fixture.steer(queued, "stop", SteerMode.STOP);

    assertThat(fixture.now(queued.id()).state()).isEqualTo(RunState.STOPPED);
    assertThat(fixture.receipt(steer.steerId()).ended()).contains(SteerEnd.EXPIRED);
    assertThat(fixture.receipt(stop.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(puppet.countMessages("deploy")).isZero();
  }

  /** Seen to fail when AttemptLoop.openFirstTurn opens with the prompt alone. */
  @Test
  void t03_a_steer_for_a_queued_run_is_part_of_its_first_turn() {
    Run busy = fixture.run("one", PendingPolicy.ALL, LANE);
    puppet.awaitMessage("prompt 1: one");
    Run queued = fixture.run("two", PendingPolicy.ALL, LANE);
    Receipt early = fixture.steer(queued, "with tabs");
    puppet.begins(1);
    puppet.ends("done");
    fixture.awaitState(busy.id(), RunState.DONE);

    assertThat(puppet.awaitMessage("prompt 1: two")).contains("with tabs");
    puppet.begins(1);
    puppet.ends("done too");
    assertThat(fixture.awaitEnd(early.steerId()).ended()).contains(SteerEnd.ANSWERED);
  }

  @Test
  void an_unknown_agent_fails_the_run_with_a_reason() {
    RunSpec spec = fixture.run("ignored").spec();
    RunSpec unknown =
        new RunSpec(
            "build it",
            AgentName.of("nobody"),
            spec.worker(),
            spec.workspace(),
            spec.author(),
            spec.pending(),
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Run run = fixture.engine().runs().create(new NewRun(Optional.empty(), unknown));
    assertThat(fixture.awaitState(run.id(), RunState.FAILED).result().orElseThrow())
        .contains("no agent called nobody");
  }

  @Test
  void a_model_error_fails_the_run_with_its_reason() {
    Run run = running("build it");
    puppet.says(new AgentEvent.TurnEnded(TurnEnd.ERROR, "401 bad key", ""));
    Run failed = fixture.awaitState(run.id(), RunState.FAILED);
    assertThat(failed.result().orElseThrow()).contains("401 bad key");
    assertThat(failed.needs()).contains(new Need.Failed());
  }

  /** Seen to fail when StallMonitor.look never gives an attempt up. */
  @Test
  void t37_a_silent_agent_is_called_quiet_and_given_up_only_when_it_is_stuck() {
    Run run = running("build it");
    clock.move(Duration.ofSeconds(61));
    look(run);
    await().until(() -> fixture.kinds(run.id()).contains("quiet"));
    assertThat(fixture.now(run.id()).needs()).contains(new Need.Quiet());
    puppet.says(new AgentEvent.Said("still here"));
    await().until(() -> fixture.kinds(run.id()).contains("quiet_over"));
    assertThat(fixture.now(run.id()).needs()).isEmpty();

    clock.move(Duration.ofMinutes(31));
    look(run);
    await().until(() -> puppet.starts.size() == 2);
    assertThat(fixture.kinds(run.id())).contains("attempt_lost");
  }

  /** Seen to fail when a tool that declared no timeout is judged like no tool. */
  @Test
  void a_silent_test_suite_of_ten_minutes_raises_no_alarm() {
    Run run = running("test it");
    puppet.says(new AgentEvent.ToolStarted("1", "Bash", "./verify", Optional.empty()));
    await().until(() -> fixture.kinds(run.id()).contains("tool_started"));
    clock.move(Duration.ofMinutes(10));
    look(run);
    Receipt still = fixture.steer(run, "are you there?");
    puppet.awaitMessage("steer " + still.steerId());
    assertThat(fixture.kinds(run.id())).doesNotContain("quiet");
    assertThat(fixture.now(run.id()).needs()).isEmpty();
  }

  /** Seen to fail when the next supervisor does not read from the log which tools are running. */
  @Test
  void a_silent_test_suite_raises_no_alarm_after_a_restart_of_the_hub() {
    Run run = running("test it");
    puppet.says(new AgentEvent.ToolStarted("0", "Bash", "ls", Optional.empty()));
    puppet.says(new AgentEvent.ToolFinished("0", true, ""));
    puppet.says(new AgentEvent.ToolStarted("1", "Bash", "./verify", Optional.empty()));
    await()
        .until(() -> fixture.kinds(run.id()).stream().filter("tool_started"::equals).count() == 2);
    fixture.restartHub();
    await().until(() -> fixture.kinds(run.id()).contains("agent_found"));
    clock.move(Duration.ofMinutes(10));
    look(run);
    Receipt still = fixture.steer(run, "are you there?");
    puppet.awaitMessage("steer " + still.steerId());
    assertThat(fixture.kinds(run.id())).doesNotContain("quiet");

    puppet.says(new AgentEvent.ToolFinished("1", true, ""));
    await()
        .until(() -> fixture.kinds(run.id()).stream().filter("tool_finished"::equals).count() == 2);
    clock.move(Duration.ofSeconds(61));
    look(run);
    await().until(() -> fixture.kinds(run.id()).contains("quiet"));
  }

  @Test
  void an_alarm_that_was_dismissed_comes_again_only_after_work() {
    Run run = running("build it");
    assertThatThrownBy(() -> fixture.engine().runs().dismissAlarm(run.id(), EngineFixture.PERSON))
        .hasMessageContaining("nothing to dismiss");
    clock.move(Duration.ofSeconds(61));
    look(run);
    await().until(() -> fixture.now(run.id()).needs().isPresent());
    fixture.engine().runs().dismissAlarm(run.id(), EngineFixture.PERSON);
    assertThat(fixture.kinds(run.id())).contains("alarm_dismissed");
    clock.move(Duration.ofMinutes(5));
    look(run);
    Receipt still = fixture.steer(run, "are you there?");
    puppet.awaitMessage("steer " + still.steerId());
    assertThat(fixture.now(run.id()).needs()).isEmpty();

    puppet.says(new AgentEvent.Said("still here"));
    await().until(() -> fixture.kinds(run.id()).contains("quiet_over"));
    clock.move(Duration.ofSeconds(61));
    look(run);
    await().until(() -> fixture.now(run.id()).needs().equals(Optional.of(new Need.Quiet())));
  }

  /** Seen to fail when StallMonitor does not know after a restart that the agent was quiet. */
  @Test
  void an_alarm_that_was_dismissed_stays_dismissed_after_a_restart_until_there_was_activity() {
    Run run = running("build it");
    clock.move(Duration.ofSeconds(61));
    look(run);
    await().until(() -> fixture.now(run.id()).needs().isPresent());
    fixture.engine().runs().dismissAlarm(run.id(), EngineFixture.PERSON);
    fixture.restartHub();
    await().until(() -> fixture.kinds(run.id()).contains("agent_found"));
    clock.move(Duration.ofSeconds(61));
    look(run);
    Receipt still = fixture.steer(run, "are you there?");
    puppet.awaitMessage("steer " + still.steerId());
    assertThat(fixture.now(run.id()).needs()).isEmpty();
    assertThat(fixture.kinds(run.id())).containsOnlyOnce("quiet").doesNotContain("quiet_over");

    puppet.says(new AgentEvent.Said("still here"));
    await().until(() -> fixture.kinds(run.id()).contains("quiet_over"));
    clock.move(Duration.ofSeconds(61));
    look(run);
    await().until(() -> fixture.now(run.id()).needs().equals(Optional.of(new Need.Quiet())));
  }

  /** Seen to fail when StallMonitor.look does not ask for the tool. */
  @Test
  void t38_a_tool_that_declared_a_long_timeout_is_not_given_up_for_being_silent() {
    Run run = running("build it");
    puppet.says(
        new AgentEvent.ToolStarted("1", "shell", "sleep", Optional.of(Duration.ofHours(2))));
    await().until(() -> fixture.kinds(run.id()).contains("tool_started"));
    clock.move(Duration.ofMinutes(100));
    look(run);
    Receipt still = fixture.steer(run, "are you there?");
    puppet.awaitMessage("steer " + still.steerId());
    assertThat(fixture.kinds(run.id())).doesNotContain("quiet", "attempt_lost");
    assertThat(puppet.starts).hasSize(1);
  }

  /** Seen to fail when AgentEvent.isActivity takes them for work. */
  @ParameterizedTest
  @MethodSource("wordsThatAreNoWork")
  void t38_output_without_work_does_not_save_an_agent_from_being_given_up(AgentEvent word) {
    Run run = running("build it");
    clock.move(Duration.ofMinutes(20));
    puppet.says(word, new AgentEvent.Waiting("for the model"));
    await().until(() -> fixture.kinds(run.id()).contains("waiting"));
    clock.move(Duration.ofMinutes(11));
    look(run);
    await().until(() -> puppet.starts.size() == 2);
    assertThat(fixture.kinds(run.id())).contains("attempt_lost");
  }

  static Stream<AgentEvent> wordsThatAreNoWork() {
    SteerId nobodys = SteerId.of("11111111-2222-4333-8444-555555555555");
    return Stream.of(
        new AgentEvent.SessionNamed(SessionId.of("another-name")),
        new AgentEvent.PromptAccepted(1, "still"),
        new AgentEvent.SteerAccepted(nobodys, "still"),
        new AgentEvent.SteerNotTaken(nobodys, "no turn"),
        new AgentEvent.SteerRefused(nobodys, "no"),
        new AgentEvent.SteerGivenBack(nobodys, false),
        new AgentEvent.AskClosed("nobody's", "by itself"),
        new AgentEvent.BarrierPassed("nobody's"),
        new AgentEvent.Garbage("?", 1));
  }

  /** Wakes the supervisor, which otherwise sleeps by the machine's clock. */
  private void look(Run run) {
    Receipt nudge = fixture.steer(run, "nudge", SteerMode.NEXT);
    await().until(() -> fixture.receipt(nudge.steerId()).steerId().equals(nudge.steerId()));
  }

  /** Seen to fail when AttemptLoop answers what is asked with the first steer that comes. */
  @Test
  void t12_t13_a_permission_is_given_by_a_person_and_never_by_a_steer() {
    Run run = running("build it");
    puppet.says(new AgentEvent.Asked("ask-1", AskKind.PERMISSION, "run rm?", "rm -r x"));
    await().until(() -> fixture.now(run.id()).needs().isPresent());
    Receipt steer = fixture.steer(run, "yes, allow it");
    puppet.awaitMessage("steer " + steer.steerId());
    assertThat(puppet.countMessages("answer ")).isZero();

    fixture.engine().runs().answer(run.id(), "ask-1", new AskAnswer.Allow(), EngineFixture.PERSON);
    assertThat(puppet.awaitMessage("answer ask-1")).contains("Allow");
    await().until(() -> fixture.now(run.id()).needs().isEmpty());
    assertThatThrownBy(() ->
            fixture
                .engine()
                .runs()
                .answer(run.id(), "ask-1", new AskAnswer.Allow(), EngineFixture.PERSON))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().code()).isEqualTo(Code.NOT_FOUND));
  }

  /** Seen to fail when StallMonitor.look leaves open asks alone. */
  @Test
  void t13_a_permission_without_an_answer_is_denied_in_time() {
    Run run = running("build it");
    puppet.says(new AgentEvent.Asked("ask-1", AskKind.PERMISSION, "run rm?", "rm -r x"));
    await().until(() -> fixture.now(run.id()).needs().isPresent());
    clock.move(Duration.ofSeconds(30));
    look(run);
    assertThat(puppet.awaitMessage("answer ask-1")).contains("no answer in time");
  }

  /** Seen to fail when Watchman takes an answer for given whatever became of it. */
  @Test
  void t13_a_denial_that_the_agent_does_not_read_is_given_when_it_reads() {
    Run run = running("build it");
    puppet.says(new AgentEvent.Asked("ask-1", AskKind.PERMISSION, "run rm?", "rm -r x"));
    await().until(() -> fixture.now(run.id()).needs().isPresent());
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    clock.move(Duration.ofSeconds(30));
    look(run);
    await().until(() -> puppet.timesTurnedAway("answer ask-1") > 0);
    assertThat(fixture.now(run.id()).needs()).isPresent();

    puppet.answersWrites(Agent.WriteResult.WRITTEN);
    clock.move(Duration.ofSeconds(1));
    look(run);
    assertThat(puppet.awaitMessage("answer ask-1")).contains("no answer in time");
    await().until(() -> fixture.now(run.id()).needs().isEmpty());
  }

  /** Seen to fail when the listener of a dead attempt delivers to the supervisor of the next. */
  @Test
  void t36_a_late_event_of_an_earlier_attempt_changes_nothing() {
    Run run = running("build it");
    puppet.dies();
    await().until(() -> puppet.starts.size() == 2);
    puppet.awaitMessage("prompt 2: ");
    puppet.begins(2);
    Receipt steer = fixture.steer(run, "use tabs");
    puppet.awaitMessage("steer " + steer.steerId());

    puppet.lateWordOfTheFirst(
        new AgentEvent.SteerInjected(steer.steerId(), "a ghost"),
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "a ghost's answer"));
    puppet.says(new AgentEvent.SteerInjected(steer.steerId(), "echo"));
    puppet.ends("built");

    assertThat(fixture.awaitState(run.id(), RunState.DONE).result()).contains("built");
    assertThat(fixture.receipt(steer.steerId()).rungs())
        .extracting(ReceiptRung::evidence)
        .contains("echo")
        .noneMatch(evidence -> evidence.contains("ghost"));
  }

  /** Seen to fail when Leftovers ends nothing. */
  @Test
  void t35_what_a_hub_left_of_an_ended_attempt_is_ended_by_the_next() {
    Run run = running("build it");
    fixture.ledger.write(tx -> {
      Run ended = tx.run(run.id()).orElseThrow();
      tx.put(
          new Run(
              RunId.of("gone"),
              ended.spec(),
              RunState.DONE,
              1,
              0,
              Optional.empty(),
              1,
              Optional.empty(),
              Optional.empty(),
              false,
              false,
              Optional.empty(),
              Optional.empty(),
              0,
              ended.spent(),
              ended.createdAt(),
              ended.startedAt(),
              Optional.of(ended.createdAt()),
              Optional.of("done")));
      tx.put(
          tx.attempt(run.id(), 1)
              .map(a ->
                  new Attempt(
                      RunId.of("gone"),
                      1,
                      a.host(),
                      "mark",
                      false,
                      a.version(),
                      a.can(),
                      a.pid(),
                      0,
                      "",
                      a.startedAt(),
                      Optional.empty(),
                      Optional.empty()))
              .orElseThrow());
      return true;
    });
    fixture.restartHub();
    assertThat(puppet.told).contains("end");
    assertThat(fixture.ledger.read(r -> r.attempt(RunId.of("gone"), 1)).orElseThrow().endedAt())
        .isPresent();
  }
}
