package dev.midcourse.engine.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.engine.context.AgentQuota;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moments in which others lost, mixed up or held up a steer: while the agent asks, while it starts,
 * behind one that it will not have, beside one of the same words.
 */
class NarrowPlacesTest {
  private ScriptedAgent puppet;
  private EngineFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    puppet = new ScriptedAgent();
    fixture = new EngineFixture(folder, puppet);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Run running() {
    Run run = fixture.run("build it");
    puppet.awaitMessage("prompt 1: build it");
    puppet.begins(1);
    await().until(() -> fixture.kinds(run.id()).contains("turn_started"));
    return run;
  }

  private void asks(Run run) {
    puppet.says(new AgentEvent.Asked("ask-1", AskKind.PERMISSION, "run rm?", "rm -r x"));
    await().until(() -> fixture.now(run.id()).needs().isPresent());
  }

  private void allow(Run run) {
    fixture.engine().runs().answer(run.id(), "ask-1", new AskAnswer.Allow(), EngineFixture.PERSON);
  }

  private static Consumer<Throwable> refused(Code code, String words) {
    return thrown ->
        assertThat(thrown)
            .isInstanceOfSatisfying(
                RefusedException.class,
                e -> {
                  assertThat(e.problem().code()).isEqualTo(code);
                  assertThat(e.problem().message()).contains(words);
                });
  }

  private void shows(SteerId steer) {
    puppet.says(new AgentEvent.SteerInjected(steer, "echo"));
    fixture.awaitRung(steer, Rung.INJECTED);
  }

  /** Seen to fail when AttemptLoop plans nothing while something is asked. */
  @Test
  void t11_what_is_said_while_the_agent_waits_for_an_answer_reaches_it() {
    Run run = running();
    asks(run);
    Receipt steer = fixture.steer(run, "use tabs");
    Receipt later = fixture.steer(run, "tidy up", SteerMode.FOLLOW_UP);
    puppet.awaitMessage("steer " + steer.steerId());

    allow(run);
    shows(steer.steerId());
    puppet.ends("built");
    assertThat(puppet.awaitMessage("prompt 2: ")).contains("tidy up");
    puppet.begins(2);
    puppet.ends("tidy");
    assertThat(fixture.awaitEnd(steer.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(later.steerId()).ended()).contains(SteerEnd.ANSWERED);
  }

  /** Seen to fail when Supervisor does not remember the open asks of the attempt it attaches. */
  @Test
  void t13_a_question_outlives_the_hub_and_is_answered_once() {
    Run run = running();
    asks(run);
    fixture.restartHub();
    await().until(() -> puppet.attaches.size() == 1);

    allow(run);
    assertThat(puppet.awaitMessage("answer ask-1")).contains("Allow");
    assertThatThrownBy(() -> allow(run)).satisfies(refused(Code.NOT_FOUND, "ask-1"));
    assertThat(puppet.countMessages("answer ask-1")).isEqualTo(1);
  }

  /** Seen to fail when Watchman takes an answer for given whatever became of it. */
  @Test
  void t13_an_answer_that_the_agent_does_not_read_is_not_given_and_can_be_given_again() {
    Run run = running();
    asks(run);
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    assertThatThrownBy(() -> allow(run)).satisfies(refused(Code.UNAVAILABLE, "try again"));
    assertThat(fixture.now(run.id()).needs()).isPresent();

    puppet.answersWrites(Agent.WriteResult.WRITTEN);
    allow(run);
    assertThat(puppet.awaitMessage("answer ask-1")).contains("Allow");
    assertThat(fixture.now(run.id()).needs()).isEmpty();
  }

  /** Seen to fail when Watchman takes an answer for given whatever became of it. */
  @Test
  void t13_a_question_that_takes_no_answer_is_closed_and_not_called_answered() {
    Run run = running();
    asks(run);
    puppet.answersWrites(Agent.WriteResult.UNSUPPORTED);
    assertThatThrownBy(() -> allow(run))
        .satisfies(refused(Code.NOT_FOUND, "does not accept an answer"));
    await().until(() -> fixture.now(run.id()).needs().isEmpty());
    List<Ask> asks = fixture.engine().ledger().read(r -> r.asks(run.id()));
    assertThat(asks)
        .singleElement()
        .satisfies(
            ask -> assertThat(ask.answer()).contains("the agent does not accept an answer to it"));
  }

  /** Seen to fail when AgentEventHandler looks for a steer by its text. */
  @Test
  void t18_two_steers_with_one_text_are_two_steers() {
    Run run = running();
    Receipt first = fixture.steer(run, "again");
    Receipt second = fixture.steer(run, "again");
    puppet.awaitMessage("steer " + first.steerId());
    puppet.awaitMessage("steer " + second.steerId());

    shows(second.steerId());
    assertThat(fixture.receipt(first.steerId()).rung()).isEqualTo(Rung.OFFERED);
    shows(first.steerId());
    puppet.ends("built");
    assertThat(fixture.awaitEnd(first.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(second.steerId()).ended()).contains(SteerEnd.ANSWERED);
  }

  /** Seen to fail when SteeringPlan offers nothing while a follow-up waits. */
  @Test
  void t21_neither_what_waits_nor_what_is_refused_holds_newer_steers_up() {
    Run run = running();
    Receipt waiting = fixture.steer(run, "tidy up", SteerMode.FOLLOW_UP);
    Receipt refused = fixture.steer(run, "what it will not have");
    puppet.awaitMessage("steer " + refused.steerId());
    puppet.says(new AgentEvent.SteerRefused(refused.steerId(), "too long"));

    Receipt newer = fixture.steer(run, "use tabs");
    puppet.awaitMessage("steer " + newer.steerId());
    shows(newer.steerId());
    assertThat(fixture.awaitEnd(refused.steerId()).ended()).contains(SteerEnd.REFUSED);
    assertThat(fixture.receipt(waiting.steerId()).ended()).isEmpty();
  }

  /** Seen to fail when AttemptLoop carries a stop out only after the agent has started. */
  @Test
  void t33_a_stop_while_the_agent_starts_ends_it_before_it_gets_its_task() {
    puppet.slowToStart();
    Run run = fixture.run("build it");
    await().until(() -> puppet.starts.size() == 1);
    Receipt early = fixture.steer(run, "use tabs");
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);

    fixture.awaitState(run.id(), RunState.STOPPED);
    assertThat(puppet.alive()).isFalse();
    assertThat(puppet.countMessages("build it")).isZero();
    assertThat(fixture.awaitEnd(early.steerId()).ended()).contains(SteerEnd.EXPIRED);
  }

  /** Seen to fail when AttemptTermination answers such a command itself. */
  @Test
  void a_steer_command_during_the_end_of_the_agent_is_answered_with_the_state_of_the_steer() {
    puppet.exitingSilently();
    Run run = running();
    Receipt waiting = fixture.steer(run, "tidy up", SteerMode.FOLLOW_UP);
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    puppet.awaitMessage("end");

    assertThatThrownBy(() -> fixture.engine().steering().withdraw(waiting.steerId(), "no"))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e ->
                assertThat(e.problem().message())
                    .contains("has ended: " + SteerEnd.EXPIRED.wire()));
    fixture.awaitState(run.id(), RunState.STOPPED);
  }

  /** Returns the first character this many times, then random ones. */
  private static final class Repeating extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final AtomicInteger times = new AtomicInteger();

    @Override
    public int nextInt(int bound) {
      return times.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? 0 : super.nextInt(bound);
    }
  }

  /** Seen to fail when Runs takes the first name that is drawn. */
  @Test
  void a_run_without_a_name_is_never_one_more_try_of_another(@TempDir Path folder) {
    Repeating random = new Repeating();
    try (EngineFixture other =
        new EngineFixture(
            folder, puppet, InstantSource.system(), StallPolicy.DEFAULT, AgentQuota.NONE, random)) {
      random.times.set(4);
      Run first = other.run("build it");
      puppet.awaitMessage("prompt 1: build it");
      other.engine().runs().stop(first.id(), EngineFixture.PERSON);
      other.awaitState(first.id(), RunState.STOPPED);
      await().until(() -> other.engine().attended().isEmpty());

      random.times.set(4);
      Run second = other.run("build it");
      assertThat(second.id()).isNotEqualTo(first.id());
      assertThat(other.now(first.id()).state()).isEqualTo(RunState.STOPPED);
    }
  }
}
