package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.sayAround;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.model.Gate;
import dev.midcourse.proof.model.RecordedRequest;
import dev.midcourse.proof.model.wire.ModelUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The steering tests for every agent, with the real program, the real engine and a scripted model
 * that records its requests. An agent must not claim a capability that it lacks.
 */
@Tag("agents")
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class AgentSuite extends AgentTroubles {
  private static final String PROMPT = "Please do the work.";

  @Test
  void a_run_starts_shows_its_progress_and_ends_with_the_models_words() throws Exception {
    AgentFixture fixture =
        fixture(shell("echo hello > written.txt").saying("I write."), say("It is written."));
    Run run = fixture.run(PROMPT);
    Run done = awaitDone(fixture, run);

    assertThat(fixture.workspace().resolve("written.txt")).hasContent("hello");
    assertThat(done.result()).hasValueSatisfying(it -> assertThat(it).contains("It is written."));
    assertThat(done.session()).isPresent();
    assertThat(lane().requests().count()).as(lane().requests().toString()).isEqualTo(2);
    assertSeenOnce(PROMPT);
    assertThat(lane().strays()).isEmpty();
    proved(
        Operation.START,
        "reports its version and session; the prompt is in the first request once");

    assertThat(fixture.kinds(run))
        .as(fixture.story(run))
        .containsSubsequence(
            "agent_started", "turn_started", "tool_started", "tool_finished", "turn_ended");
    assertThat(fixture.log(run))
        .anyMatch(e -> e.kind().equals("said") && e.json().contains("It is written."))
        .anyMatch(e -> e.kind().equals("tool_started") && e.json().contains("echo hello"))
        .anyMatch(e -> e.kind().equals("progressed"))
        .noneMatch(e -> e.kind().equals("garbage"));
    proved(Operation.PROGRESS, "text, tools with a summary, turns; all output is understood");
  }

  /**
   * Seen to fail when the steer is held until the end of the turn, and when it is written twice.
   */
  @Test
  void t01_a_steer_in_the_middle_of_a_tool_is_in_the_next_model_request_once() throws Exception {
    HeldCommand tool = held("tool");
    AgentFixture fixture = fixture(shell(tool.command()), say("Done."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs.");
    Capabilities can = fixture.can(run);
    Receipt early = fixture.awaitRung(steer, heldRung(can));

    if (steersWaitForTools()) {
      assertThat(early.ended()).isEmpty();
      assertHonest(early, Rung.INJECTED, false);
      assertThat(lane().requests().count()).isEqualTo(1);
    } else {
      lane().awaitRequest(2, AgentFixture.TIMEOUT);
    }
    tool.release();
    awaitDone(fixture, run);

    Receipt late = fixture.receipt(steer);
    assertSeenOnce("Use tabs.");
    int seenIn = lane().requests().firstContaining("Use tabs.").orElseThrow();
    if (can.has(Capability.MID_TURN_STEER)) {
      assertThat(seenIn).as(lane().requests().toString()).isEqualTo(2);
      assertThat(late.ended()).as(fixture.story(run)).hasValue(endOf(can));
      assertHonest(late, Rung.ACCEPTED, can.has(Capability.ACCEPTED_EVIDENCE));
      assertHonest(late, Rung.INJECTED, can.has(Capability.INJECTED_EVIDENCE));
    } else {
      assertThat(seenIn).as(lane().requests().toString()).isEqualTo(3);
      assertThat(late.ended()).hasValue(SteerEnd.CARRIED);
    }
    proved(
        Operation.STEER_IN_TOOL,
        can.has(Capability.MID_TURN_STEER)
            ? (steersWaitForTools() ? "" : "the tool goes to the background; ")
                + "in the next model request, once; rungs: "
                + rungs(can)
            : "held until the turn ends, then in the next request, once");
  }

  /**
   * Shows that no agent needs a system call that the sandbox forbids. Seen to fail for agents on
   * Node when pairs of Unix sockets are forbidden too: they have these as pipes to their tools.
   */
  @Test
  @Tag("sandbox")
  void in_bubblewrap_an_agent_uses_a_tool_and_takes_a_steer() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bwrap is missing");
    HeldCommand tool = held("tool");
    AgentFixture fixture = houseInBwrap(shell(tool.command()), say("Done."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs.");
    fixture.awaitRung(steer, heldRung(fixture.can(run)));
    tool.release();
    awaitDone(fixture, run);
    assertSeenOnce("Use tabs.");
  }

  /** Returns whether a steer waits until the running tool has ended. */
  boolean steersWaitForTools() {
    return true;
  }

  private static String rungs(Capabilities can) {
    return "offered"
        + (can.has(Capability.ACCEPTED_EVIDENCE) ? ", accepted" : "")
        + (can.has(Capability.INJECTED_EVIDENCE)
            ? ", injected, answered"
            : " and no more: it gives no evidence");
  }

  /** Seen to fail when SteeringPlan collects two steers and offers the newer first. */
  @Test
  void t04_two_steers_reach_the_model_in_their_order() throws Exception {
    HeldCommand tool = held("tool");
    AgentFixture fixture = fixture(shell(tool.command()), say("Done."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    fixture.steer(run, SteerMode.STEER, "First remark.");
    SteerId second = fixture.steer(run, SteerMode.STEER, "Second remark.");
    Capabilities can = fixture.can(run);
    fixture.awaitRung(second, heldRung(can));
    tool.release();
    awaitDone(fixture, run);

    assertSeenOnce("First remark.");
    assertSeenOnce("Second remark.");
    String said = lane().requests().last().text();
    assertThat(said.indexOf("First remark.")).isLessThan(said.indexOf("Second remark."));
    proved(Operation.TWO_STEERS, "in their order, each once");
  }

  @Test
  void a_steer_while_text_streams_is_not_lost() throws Exception {
    Gate middle = new Gate("the middle of the answer");
    AgentFixture fixture = fixture(sayAround("I begin", middle, " and end."), say("Tabs it is."));
    Run run = fixture.run(PROMPT);
    middle.awaitReached(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs.");
    fixture.awaitRung(steer, heldRung(fixture.can(run)));
    middle.open();
    awaitDone(fixture, run);

    assertSeenOnce("Use tabs.");
    assertThat(fixture.receipt(steer).ended().orElseThrow())
        .as(fixture.story(run))
        .isIn(endOf(fixture.can(run)), SteerEnd.CARRIED);
    proved(Operation.STEER_IN_TEXT, "in the request after the answer, once");
  }

  @Test
  void a_follow_up_waits_for_the_end_of_the_turn() throws Exception {
    HeldCommand tool = held("tool");
    AgentFixture fixture = fixture(shell(tool.command()), say("Done."), say("Done too."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.FOLLOW_UP, "Then write the notes.");
    tool.release();
    Run done = awaitDone(fixture, run);

    assertSeenOnce("Then write the notes.");
    assertThat(lane().requests().firstContaining("Then write the notes."))
        .as(lane().requests().toString())
        .hasValue(3);
    assertThat(done.result()).hasValueSatisfying(it -> assertThat(it).contains("Done too."));
    assertThat(fixture.receipt(steer).ended()).isPresent();
    proved(Operation.FOLLOW_UP, "opens the next turn of the same session, once");
  }

  @Test
  void with_a_linger_the_next_message_opens_a_turn_in_the_same_process() throws Exception {
    AgentFixture fixture = fixture(say("Done."), say("Done too."));
    Run run = fixture.lingering(PROMPT, Duration.ofMinutes(30));
    awaitIdle(fixture, run, 1);
    long pid = fixture.attempt(run).pid();
    SteerId steer = fixture.steer(run, SteerMode.FOLLOW_UP, "Then write the notes.");
    awaitIdle(fixture, run, 2);

    assertSeenOnce(PROMPT);
    assertSeenOnce("Then write the notes.");
    assertThat(fixture.receipt(steer).ended()).isPresent();
    assertThat(fixture.attempt(run).number()).isEqualTo(1);
    assertThat(fixture.attempt(run).pid()).isEqualTo(pid);
    assertThat(fixture.log(run))
        .anyMatch(e -> e.kind().equals("turn_ended") && e.json().contains("\"Done.\""))
        .anyMatch(e -> e.kind().equals("turn_ended") && e.json().contains("\"Done too.\""));
  }

  private static void awaitIdle(AgentFixture fixture, Run run, int turn) {
    await()
        .atMost(AgentFixture.TIMEOUT)
        .until(() -> {
          Run now = fixture.now(run);
          return !now.state().live() || (now.turn() == turn && now.idle().isPresent());
        });
    assertThat(fixture.now(run).state()).as(fixture.story(run)).isEqualTo(RunState.RUNNING);
  }

  /** The agent is told when it cannot have the conversation. */
  @Test
  void a_continued_run_has_the_conversation_of_the_finished_one() throws Exception {
    AgentFixture fixture = fixture(say("I have built it."), say("Tested."));
    Run first = fixture.run(PROMPT);
    awaitDone(fixture, first);
    boolean resumes = fixture.can(first).has(Capability.RESUME);
    Run second =
        fixture.engine().runs().continueRun(first.id(), "Now the tests.", AgentFixture.PERSON);
    awaitDone(fixture, second);

    assertSeenOnce("Now the tests.");
    RecordedRequest last = lane().requests().last();
    assertThat(last.occurrences(PROMPT)).as(last.text()).isEqualTo(resumes ? 1 : 0);
    assertThat(last.occurrences("I have built it.")).isEqualTo(resumes ? 1 : 0);
    assertThat(last.occurrences("cannot be resumed")).isEqualTo(resumes ? 0 : 1);
    assertThat(fixture.now(second).session().equals(fixture.now(first).session()))
        .isEqualTo(resumes);
  }

  @Test
  void a_withdrawn_steer_never_reaches_the_model() throws Exception {
    HeldCommand tool = held("tool");
    AgentFixture fixture = fixture(shell(tool.command()), say("Done."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs.");
    Capabilities can = fixture.can(run);
    fixture.awaitRung(steer, heldRung(can));
    if (can.has(Capability.WITHDRAW) || !can.has(Capability.MID_TURN_STEER)) {
      Receipt receipt = fixture.engine().steering().withdraw(steer, "changed my mind");
      assertThat(receipt.ended()).hasValue(SteerEnd.WITHDRAWN);
    } else {
      assertThatThrownBy(() -> fixture.engine().steering().withdraw(steer, "changed my mind"))
          .isInstanceOfSatisfying(
              RefusedException.class,
              it -> assertThat(it.problem().code()).isEqualTo(Problem.Code.TOO_LATE));
    }
    tool.release();
    awaitDone(fixture, run);

    if (can.has(Capability.WITHDRAW) || !can.has(Capability.MID_TURN_STEER)) {
      assertThat(lane().requests().firstContaining("Use tabs.")).isEmpty();
      proved(Operation.WITHDRAW, "returned while a tool runs; the model never saw it");
    } else {
      assertSeenOnce("Use tabs.");
      proved(Operation.WITHDRAW, "refused once the agent holds it, and the author is told");
    }
  }

  @Test
  void cost_and_tokens_are_reported_as_they_were_used() throws Exception {
    AgentFixture fixture =
        fixture(
            shell("echo one").using(ModelUsage.of(1_200, 30)),
            say("Done.").using(ModelUsage.of(1_500, 20)),
            say("Done too.").using(ModelUsage.of(1_700, 10)));
    Run run = fixture.run(PROMPT);
    fixture.steer(run, SteerMode.FOLLOW_UP, "Once more.");
    Run done = awaitDone(fixture, run);

    Capabilities can = fixture.can(run);
    assertThat(lane().requests().count()).as(lane().requests().toString()).isEqualTo(3);
    if (can.has(Capability.REPORTS_COST)) {
      assertThat(done.spent().microDollars()).as(fixture.story(run)).isPositive();
      boolean tokens = done.spent().inputTokens() > 0;
      assertThat(done.spent().inputTokens()).as(fixture.story(run)).isEqualTo(tokens ? 4_400 : 0);
      assertThat(done.spent().outputTokens()).isEqualTo(tokens ? 60 : 0);
      proved(
          Operation.COST,
          tokens
              ? "tokens as the model counted them over two turns, and a cost"
              : "a cost over two turns; no tokens");
    } else if (done.spent().inputTokens() > 0) {
      assertThat(done.spent()).as(fixture.story(run)).isEqualTo(new Usage(4_400, 60, 0));
      proved(Operation.COST, "tokens as the model counted them over two turns; no cost");
    } else {
      assertThat(done.spent()).isEqualTo(Usage.NOTHING);
      proved(Operation.COST, "not told");
    }
  }

  /**
   * Seen to fail when AgentEventHandler drops a steer that an agent refuses at the end of its turn.
   */
  @Test
  void t02_t06_a_steer_in_the_last_moments_of_a_turn_is_neither_lost_nor_doubled()
      throws Exception {
    LastMoments found = lastMoments(10);
    assertThat(found.taken()).as(found.toString()).isPositive();
    proved(
        Operation.LAST_MOMENT,
        found.shows()
            ? "at random points: each carried or answered, none lost or duplicated"
            : "at random points: each seen once; it gives no evidence, so some end unknown");
  }

  @Test
  @Tag("long")
  void forty_steers_in_the_last_moments_of_turns_are_neither_lost_nor_doubled() throws Exception {
    LastMoments found = lastMoments(40);
    assertThat(found.taken()).as(found.toString()).isPositive();
  }

  private LastMoments lastMoments(int rounds) throws Exception {
    long seed = Long.getLong("midcourse.seed", System.nanoTime() % 1_000_000);
    System.out.println("last moments of " + name() + ", seed " + seed);
    LastMoments moments = new LastMoments(lane(), rounds, seed);
    moments.play(fixture(settings(), moments.script()), PROMPT);
    System.out.println(moments);
    return moments;
  }
}
