package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.fail;
import static dev.midcourse.proof.model.Step.hang;
import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.model.Gate;
import dev.midcourse.proof.model.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The failure tests for every agent: it is interrupted, killed or stopped, its hub dies, its model
 * fails.
 */
abstract class AgentTroubles extends AgentLimits {
  private static final String PROMPT = "Please do the work.";

  /** Seen to fail when neither the turn is interrupted nor, after the timeout, the agent ended. */
  @Test
  void t31_t34_t42_an_interrupt_ends_the_tool_and_the_redirection_is_what_the_model_sees_next()
      throws Exception {
    HeldCommand tool = held("tool");
    Gate redirected = new Gate("the redirection");
    AgentFixture fixture = fixture(shell(tool.command()), say("Done instead.").heldBy(redirected));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.INTERRUPT, "Do this instead.");
    Capabilities can = fixture.can(run);
    if (!can.has(Capability.INTERRUPT)) {
      tool.release();
    }
    redirected.awaitReached(AgentFixture.TIMEOUT);
    if (can.has(Capability.INTERRUPT_ENDS_TOOLS)) {
      await().atMost(AgentFixture.TIMEOUT).until(() -> !tool.isAlive());
    }
    redirected.open();
    Run done = awaitDone(fixture, run);

    assertSeenOnce("Do this instead.");
    assertThat(lane().requests().firstContaining("Do this instead.")).hasValue(2);
    assertThat(done.result()).hasValueSatisfying(it -> assertThat(it).contains("Done instead."));
    assertThat(fixture.receipt(steer).ended()).as(fixture.story(run)).hasValue(SteerEnd.ANSWERED);
    proved(
        Operation.INTERRUPT,
        can.has(Capability.INTERRUPT_ENDS_TOOLS)
            ? "the tool's process is gone; the redirection is in the next request, once"
            : "the redirection is in the next request, once");
  }

  /** Seen to fail when a steer that arrives before the agent replaces the prompt. */
  @Test
  void t33_an_interrupt_before_the_agent_is_up_loses_neither_the_prompt_nor_itself()
      throws Exception {
    AgentFixture fixture = fixture(settings(), Script.of().atTheEnd(say("Done instead.")));
    Run run = fixture.run(PROMPT);
    SteerId steer = fixture.steer(run, SteerMode.INTERRUPT, "Do this instead.");
    awaitDone(fixture, run);

    assertSeenOnce(PROMPT);
    assertSeenOnce("Do this instead.");
    assertThat(fixture.receipt(steer).ended()).as(fixture.story(run)).hasValue(SteerEnd.ANSWERED);
  }

  /** Seen to fail when SteeringPlan interrupts nothing. */
  @Test
  void t33_an_interrupt_before_the_models_first_word_does_not_lose_the_prompt() throws Exception {
    Gate first = new Gate("the first word");
    AgentFixture fixture =
        fixture(settings(), Script.of(say("Done.").heldBy(first)).atTheEnd(say("Done instead.")));
    Run run = fixture.run(PROMPT);
    first.awaitReached(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.INTERRUPT, "Do this instead.");
    if (!fixture.can(run).has(Capability.INTERRUPT)) {
      first.open();
    }
    lane().awaitContaining("Do this instead.", AgentFixture.TIMEOUT);
    first.open();
    awaitDone(fixture, run);

    if (keepsPromptOfBrokenOffTurn()) {
      assertSeenOnce(PROMPT);
    } else {
      assertThat(lane().requests().last().contains(PROMPT)).isFalse();
    }
    assertSeenOnce("Do this instead.");
    assertThat(fixture.receipt(steer).ended()).as(fixture.story(run)).hasValue(SteerEnd.ANSWERED);
  }

  /**
   * Returns whether the prompt of a turn stays in the session if the turn was interrupted before
   * any output.
   */
  boolean keepsPromptOfBrokenOffTurn() {
    return true;
  }

  /**
   * Seen to fail when AgentEventHandler drops, after an interrupt, the steers that the agent held.
   */
  @Test
  void t07_a_steer_that_the_agent_held_when_it_was_interrupted_is_neither_lost_nor_doubled()
      throws Exception {
    HeldCommand tool = held("tool");
    AgentFixture fixture = fixture(shell(tool.command()), say("One."), say("Two."), say("Three."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId before = fixture.steer(run, SteerMode.STEER, "The remark before.");
    Capabilities can = fixture.can(run);
    fixture.awaitRung(before, heldRung(can));
    SteerId redirection = fixture.steer(run, SteerMode.INTERRUPT, "Do this instead.");
    if (!can.has(Capability.INTERRUPT)) {
      tool.release();
    }
    awaitDone(fixture, run);

    if (!fixture.receipt(before).ended().equals(Optional.of(SteerEnd.UNKNOWN))) {
      assertSeenOnce("The remark before.");
    }
    assertSeenOnce("Do this instead.");
    assertThat(fixture.receipt(before).ended().orElseThrow())
        .as(fixture.story(run))
        .isIn(endOf(can), SteerEnd.CARRIED, SteerEnd.ANSWERED);
    assertThat(fixture.receipt(redirection).ended()).isPresent();
  }

  /** Returns the end of a steer that the agent took into its running turn. */
  static SteerEnd endOf(Capabilities can) {
    return can.has(Capability.INJECTED_EVIDENCE) || !can.has(Capability.MID_TURN_STEER)
        ? SteerEnd.ANSWERED
        : SteerEnd.UNKNOWN;
  }

  /** Returns the highest rung that a steer can reach while a tool runs. */
  static Rung heldRung(Capabilities can) {
    return !can.has(Capability.MID_TURN_STEER)
        ? Rung.STORED
        : can.has(Capability.ACCEPTED_EVIDENCE) ? Rung.ACCEPTED : Rung.OFFERED;
  }

  /** Seen to fail when only the agent's own process is ended. */
  @Test
  void t30_t35_stop_leaves_nothing_alive_not_even_a_child_that_ran_away() throws Exception {
    HeldCommand tool = held("tool");
    HeldCommand runaway = held("runaway");
    Path script = AgentFixture.workspace(folder()).resolve("runaway.sh");
    Files.createDirectories(script.getParent());
    Files.writeString(script, runaway.command() + "\n");
    AgentFixture fixture =
        fixture(
            shell("setsid nohup sh '" + script + "' >/dev/null 2>&1 & " + tool.command()),
            say("Done."));
    Run run = fixture.run(PROMPT);
    runaway.awaitStarted(AgentFixture.TIMEOUT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    assertThat(runaway.isAlive() && tool.isAlive()).isTrue();
    fixture.engine().runs().stop(run.id(), AgentFixture.PERSON);

    assertThat(fixture.awaitEnd(run).state()).as(fixture.story(run)).isEqualTo(RunState.STOPPED);
    assertThat(runaway.isAlive()).isFalse();
    assertThat(tool.isAlive()).isFalse();
    assertThat(fixture.host().marksAlive().keySet())
        .noneMatch(mark -> mark.token().equals(fixture.attempt(run).mark()));
    proved(Operation.STOP, "no process is alive, including a child in its own session");
  }

  /**
   * Seen to fail when the next attempt does not resume, and when it does not read from the record
   * which steers the agent held.
   */
  @Test
  void t23_t34_t41_a_killed_agent_continues_in_its_session_and_no_steer_is_lost_or_doubled()
      throws Exception {
    HeldCommand first = held("first");
    HeldCommand second = held("second");
    AgentFixture fixture =
        fixture(
            settings(),
            Script.of(shell(first.command()).saying("I begin."), shell(second.command()))
                .atTheEnd(say("Done after all.")));
    Run run = fixture.run(PROMPT);
    first.awaitStarted(AgentFixture.TIMEOUT);
    SteerId injected = fixture.steer(run, SteerMode.STEER, "The early remark.");
    Capabilities can = fixture.can(run);
    fixture.awaitRung(injected, can.has(Capability.MID_TURN_STEER) ? Rung.OFFERED : Rung.STORED);
    first.release();
    second.awaitStarted(AgentFixture.TIMEOUT);
    assertThat(second.isAlive()).isTrue();
    SteerId held = fixture.steer(run, SteerMode.STEER, "The late remark.");
    fixture.awaitRung(held, heldRung(can));
    Optional<SessionId> session = fixture.now(run).session();
    kill(fixture, run);
    Run done = awaitDone(fixture, run);

    assertThat(second.isAlive()).isFalse();
    assertThat(done.attempt()).as(fixture.story(run)).isEqualTo(2);
    assertThat(done.result()).hasValueSatisfying(it -> assertThat(it).contains("Done after all."));
    assertSeenOnce("The early remark.");
    boolean known =
        !can.has(Capability.RESUME)
            || fixture.leavesRecord(run)
            || can.has(Capability.IGNORES_REPEATED_ID)
            || !can.has(Capability.MID_TURN_STEER);
    if (known) {
      assertSeenOnce("The late remark.");
    } else {
      assertThat(fixture.receipt(held).ended()).hasValue(SteerEnd.UNKNOWN);
    }
    if (can.has(Capability.RESUME)) {
      assertSeenOnce(PROMPT);
      assertThat(done.session()).as(fixture.story(run)).isEqualTo(session).isPresent();
    }
    proved(
        Operation.AGENT_KILLED,
        (can.has(Capability.RESUME) ? "same session" : "a new session")
            + (known
                ? "; a steer it had and one it held are in it once"
                : "; a steer it held is unknown and not sent again"));
  }

  /** Kills the agent program, without its child processes. */
  private static void kill(AgentFixture fixture, Run run) {
    List<ProcessHandle> agent =
        ProcessHandle.of(fixture.attempt(run).pid()).orElseThrow().children().toList();
    assertThat(agent).as("the agent's process").isNotEmpty();
    agent.forEach(ProcessHandle::destroyForcibly);
  }

  /** Seen to fail when the next hub starts another agent. */
  @Test
  void t16_t19_a_hub_that_is_killed_finds_its_agent_again_and_no_steer_is_lost_or_doubled()
      throws Exception {
    HeldCommand tool = held("tool");
    lane().play(Script.of(shell(tool.command()), say("Done.")));
    RunId id = RunId.of("survivor");
    SteerId early;
    try (KillableHub hub = KillableHub.start(folder(), name(), settings(), id, PROMPT)) {
      tool.awaitStarted(AgentFixture.TIMEOUT);
      early = hub.steer("The early remark.");
      hub.kill();
    }
    AgentFixture fixture = AgentFixture.open(folder(), name(), settings());
    adopt(fixture);
    Run run = fixture.engine().ledger().read(r -> r.run(id)).orElseThrow();
    SteerId late = fixture.steer(run, SteerMode.STEER, "The late remark.");
    Capabilities can = fixture.can(run);
    fixture.awaitRung(late, can.has(Capability.MID_TURN_STEER) ? Rung.OFFERED : Rung.STORED);
    tool.release();
    Run done = awaitDone(fixture, run);

    assertThat(done.attempt()).as(fixture.story(run)).isEqualTo(1);
    assertSeenOnce(PROMPT);
    assertSeenOnce("The late remark.");
    Receipt receipt = fixture.receipt(early);
    if (receipt.ended().equals(Optional.of(SteerEnd.UNKNOWN))) {
      assertThat(can.has(Capability.IGNORES_REPEATED_ID)).as(fixture.story(run)).isFalse();
    } else {
      assertSeenOnce("The early remark.");
    }
    proved(
        Operation.HUB_KILLED,
        "the same process continues under the next hub; steers from before and after are seen once");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 500, 529})
  void a_model_that_fails_fails_the_run_with_its_reason(int status) throws Exception {
    AgentFixture fixture = fixture(settings(), Script.of().atTheEnd(fail(status)));
    Run run = fixture.run(PROMPT);
    Run ended = fixture.awaitEnd(run);

    assertThat(ended.state()).as(fixture.story(run)).isEqualTo(RunState.FAILED);
    assertThat(ended.attempt()).as(fixture.story(run)).isEqualTo(1);
    assertThat(ended.result())
        .hasValueSatisfying(it -> assertThat(it).contains("the turn ended in an error: "));
    proved(Operation.MODEL_ERRORS, "the run fails, with the agent's error message as the reason");
  }

  /** Seen to fail when neither the turn is interrupted nor, after the timeout, the agent ended. */
  @Test
  void t37_a_model_that_hangs_can_be_interrupted_and_stopped() throws Exception {
    Gate never = new Gate("the end of the test");
    Gate neverEither = new Gate("the end of the test, again");
    AgentFixture fixture = fixture(hang(never), shell("echo instead"), hang(neverEither));
    Run run = fixture.run(PROMPT);
    never.awaitReached(AgentFixture.TIMEOUT);
    Capabilities can = fixture.can(run);
    if (can.has(Capability.INTERRUPT)) {
      fixture.steer(run, SteerMode.INTERRUPT, "Do this instead.");
      neverEither.awaitReached(AgentFixture.TIMEOUT);
      assertSeenOnce("Do this instead.");
    }
    fixture.engine().runs().stop(run.id(), AgentFixture.PERSON);

    assertThat(fixture.awaitEnd(run).state()).as(fixture.story(run)).isEqualTo(RunState.STOPPED);
    assertThat(fixture.host().marksAlive().keySet())
        .noneMatch(mark -> mark.token().equals(fixture.attempt(run).mark()));
    proved(
        Operation.HANG,
        can.has(Capability.INTERRUPT) ? "interrupt redirects it, stop ends it" : "stop ends it");
  }
}
