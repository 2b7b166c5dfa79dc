package dev.midcourse.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ManualClock;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs are held to what the settings allow their agent, and say so. */
class AgentQuotaTest {
  private static final AgentQuota BOUNDS =
      new AgentQuota(
          Optional.of(1),
          new Limits(
              Optional.of(Duration.ofHours(2)), Optional.of(1_000L), Optional.of(2_500_000L)));

  private ScriptedAgent puppet;
  private ManualClock clock;
  private EngineFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    puppet = new ScriptedAgent();
    clock = new ManualClock();
    StallPolicy patient =
        new StallPolicy(
            Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(2));
    clock.stop(); // the figures of a time limit are exact, on a slow machine too
    fixture = new EngineFixture(folder, puppet, clock, patient, BOUNDS);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Run running(String prompt) {
    return puppet.running(fixture, prompt);
  }

  private List<RunEvent.LimitReached> limits(Run run) {
    return fixture.ledger.log().after(0, Log.Filter.of(run.id()), 1_000).entries().stream()
        .filter(logged -> logged.kind().equals("limit_reached"))
        .map(logged -> JsonCodec.mapper().readTree(logged.json()))
        .map(it ->
            new RunEvent.LimitReached(it.path("limit").asString(), it.path("reason").asString()))
        .toList();
  }

  @Test
  void a_second_run_of_an_agent_that_takes_one_waits_and_says_so_once() {
    Run first = running("one");
    Run second = fixture.run("two");
    await().until(() -> !limits(second).isEmpty());
    assertThat(limits(second))
        .containsExactly(
            new RunEvent.LimitReached("at_once", "agent puppet already has 1 running, its limit"));
    assertThat(fixture.now(second.id()).state()).isEqualTo(RunState.QUEUED);

    Run third = fixture.run("three");
    await().until(() -> !limits(third).isEmpty());
    assertThat(limits(second)).hasSize(1);

    puppet.ends("done");
    fixture.awaitState(first.id(), RunState.DONE);
    puppet.awaitMessage("prompt 1: two");
    assertThat(fixture.now(third.id()).state()).isEqualTo(RunState.QUEUED);
  }

  @Test
  void a_run_whose_time_is_over_ends_as_timed_out_and_what_it_held_has_its_end() {
    Run run = running("build it");
    Receipt held = fixture.steer(run, "also the tests");
    puppet.awaitMessage("steer");
    clock.move(Duration.ofHours(2));
    fixture.steer(run, "wakes the supervisor, which sleeps by the machine's clock", SteerMode.NEXT);

    Run ended = fixture.awaitState(run.id(), RunState.FAILED_TIMEOUT);
    String reason = "limit of agent puppet: it ran for 7200 s; the limit is 7200 s";
    assertThat(ended.result()).contains(reason);
    assertThat(ended.needs()).contains(new Need.TimedOut());
    assertThat(limits(run)).containsExactly(new RunEvent.LimitReached("time", reason));
    assertThat(fixture.awaitEnd(held.steerId()).ended())
        .isPresent()
        .get()
        .isNotEqualTo(SteerEnd.ANSWERED);
    assertThat(puppet.starts).hasSize(1);
  }

  @Test
  void a_run_that_used_its_tokens_fails_with_the_figures() {
    Run run = running("build it");
    puppet.says(new AgentEvent.Used(new Usage(500, 499, 0)));
    await().until(() -> fixture.kinds(run.id()).contains("used"));
    assertThat(fixture.now(run.id()).state()).isEqualTo(RunState.RUNNING);
    puppet.says(new AgentEvent.Used(new Usage(0, 1, 0)));

    assertThat(fixture.awaitState(run.id(), RunState.FAILED).result())
        .contains("limit of agent puppet: it used 1000 tokens; the limit is 1000");
    assertThat(limits(run)).extracting(RunEvent.LimitReached::limit).containsExactly("tokens");
  }

  @Test
  void a_run_that_cost_too_much_fails_with_the_figures() {
    Run run = running("build it");
    puppet.says(new AgentEvent.Used(new Usage(1, 1, 3_000_000)));
    assertThat(fixture.awaitState(run.id(), RunState.FAILED).result())
        .contains("limit of agent puppet: it cost $3; the limit is $2.5");
  }

  @Test
  void a_run_that_is_done_with_its_last_allowed_token_is_done() {
    Run run = running("build it");
    puppet.says(
        new AgentEvent.Used(new Usage(1_000, 0, 0)),
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "built"));
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(limits(run)).isEmpty();
  }

  @Test
  void the_time_of_a_restarted_run_begins_again() {
    Run run = running("build it");
    clock.move(Duration.ofMinutes(90));
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    fixture.awaitState(run.id(), RunState.STOPPED);
    fixture.engine().runs().restart(run.id(), Optional.empty(), false, EngineFixture.PERSON);
    puppet.awaitMessage("prompt 2: build it");
    clock.move(Duration.ofMinutes(90));
    puppet.begins(2);
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
  }
}
