package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.ReceiptRung;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.SteerService.SubmitResult;
import dev.midcourse.engine.context.EngineSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The way of a steer through the engine, with a scripted agent. */
class SteerServiceTest extends ScriptedAgentDriver {
  private static List<Rung> rungs(Receipt receipt) {
    return receipt.rungs().stream().map(ReceiptRung::rung).toList();
  }

  /** Seen to fail when SteerDelivery.offer claims accepted when it has written. */
  @Test
  void t22_a_steer_climbs_every_rung_on_its_own_evidence() {
    Run run = running("build it");
    Receipt stored = fixture.steer(run, "use tabs");
    assertThat(stored.rung()).isEqualTo(Rung.STORED);

    assertThat(puppet.awaitMessage("steer " + stored.steerId())).contains("use tabs");
    assertThat(fixture.awaitRung(stored.steerId(), Rung.OFFERED).ended()).isEmpty();
    puppet.says(new AgentEvent.SteerAccepted(stored.steerId(), "ack"));
    puppet.says(new AgentEvent.SteerInjected(stored.steerId(), "echo"));
    fixture.awaitRung(stored.steerId(), Rung.INJECTED);
    puppet.ends("built");

    Receipt ended = fixture.awaitEnd(stored.steerId());
    assertThat(ended.ended()).contains(SteerEnd.ANSWERED);
    assertThat(rungs(ended))
        .containsExactly(Rung.STORED, Rung.OFFERED, Rung.ACCEPTED, Rung.INJECTED, Rung.ANSWERED);
    assertThat(fixture.awaitState(run.id(), RunState.DONE).result()).contains("built");
  }

  /** Seen to fail when SteeringPlan opens a turn for follow-ups only. */
  @Test
  void t03_a_steer_stored_before_the_turn_ends_is_carried_into_the_next_turn() {
    puppet.that(holding());
    Run run = running("build it");
    Receipt late = fixture.steer(run, "one more thing");
    puppet.ends("built");

    assertThat(puppet.awaitMessage("prompt 2: ")).contains("one more thing");
    puppet.begins(2);
    puppet.ends("done too");
    Receipt ended = fixture.awaitEnd(late.steerId());
    assertThat(ended.ended()).contains(SteerEnd.CARRIED);
    assertThat(ended.carriedTo()).contains("turn 2");
    assertThat(ended.deliveredMode()).contains(SteerMode.FOLLOW_UP);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  /** Seen to fail when AgentEventHandler drops SteerNotTaken. */
  @Test
  void t02_t06_a_steer_the_agent_would_not_take_any_more_opens_the_next_turn() {
    Run run = running("build it");
    Receipt late = fixture.steer(run, "one more thing");
    puppet.awaitMessage("steer " + late.steerId());
    puppet.says(
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "built"),
        new AgentEvent.SteerNotTaken(late.steerId(), "no active turn"));

    assertThat(puppet.awaitMessage("prompt 2: ")).contains("one more thing");
    puppet.begins(2);
    puppet.ends("done too");
    assertThat(fixture.awaitEnd(late.steerId()).ended()).contains(SteerEnd.CARRIED);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  /** Seen to fail when AttemptLoop.endIfSettled does not wait for steers in transit. */
  @Test
  void t02_t08_the_run_waits_for_a_steer_that_the_agent_holds_past_its_turn() {
    clock.stop(); // the agent opens its next turn within its time, on a slow machine too
    Run run = running("build it");
    Receipt late = fixture.steer(run, "one more thing");
    puppet.awaitMessage("steer " + late.steerId());
    puppet.says(
        new AgentEvent.SteerAccepted(late.steerId(), "ack"),
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "built"));
    puppet.says(
        new AgentEvent.TurnStarted(true), new AgentEvent.SteerInjected(late.steerId(), "echo"));
    puppet.ends("done too");

    Receipt ended = fixture.awaitEnd(late.steerId());
    assertThat(ended.ended()).contains(SteerEnd.CARRIED);
    assertThat(ended.carriedTo()).contains("turn 2");
    assertThat(puppet.countMessages("one more thing")).isEqualTo(1);
    assertThat(fixture.awaitState(run.id(), RunState.DONE).result()).contains("done too");
  }

  /**
   * It may hold the steer and be about to open its next turn with it; what is written to it now
   * would be read after that, and what is written then before. Seen to fail when UnsettledSteers
   * goes by the time alone.
   */
  @Test
  void a_slow_agent_is_not_taken_for_one_that_never_returns_a_steer() {
    puppet.passesNoBarrier();
    Run run = running("build it");
    Receipt late = fixture.steer(run, "one more thing");
    puppet.awaitMessage("steer " + late.steerId());
    puppet.says(
        new AgentEvent.SteerAccepted(late.steerId(), "ack"),
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "built"));
    puppet.awaitMessage("barrier settle-");
    Receipt after = fixture.steer(run, "and then this", SteerMode.FOLLOW_UP);
    puppet.says(
        new AgentEvent.TurnStarted(true), new AgentEvent.SteerInjected(late.steerId(), "echo"));
    fixture.awaitRung(late.steerId(), Rung.INJECTED);
    assertThat(puppet.countMessages("prompt 2: ")).isZero();
    puppet.ends("done too");

    assertThat(puppet.awaitMessage("prompt 3: ")).contains("and then this");
    assertThat(fixture.awaitEnd(late.steerId()).ended()).contains(SteerEnd.CARRIED);
    assertThat(puppet.countMessages("one more thing")).isEqualTo(1);
    puppet.begins(3);
    puppet.ends("all of it");
    assertThat(fixture.awaitEnd(after.steerId()).ended()).contains(SteerEnd.ANSWERED);
  }

  /** Seen to fail when the time runs on from the turn before. */
  @Test
  void an_agent_has_all_its_time_after_each_turn() {
    clock.stop(); // the agent answers within its time, on a slow machine too
    Run run = running("build it");
    heldPastItsTurn(run, "one more thing", 1);
    clock.move(fixture.engine().settings().settle());
    heldPastItsTurn(run, "and another", 2);
    puppet.ends("all of it");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(puppet.countMessages("prompt ")).isEqualTo(1);
  }

  private void heldPastItsTurn(Run run, String text, int turn) {
    Receipt late = fixture.steer(run, text);
    puppet.awaitMessage("steer " + late.steerId());
    puppet.says(
        new AgentEvent.SteerAccepted(late.steerId(), "ack"),
        new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", "built"));
    await()
        .until(() -> fixture.kinds(run.id()).stream().filter("turn_ended"::equals).count() == turn);
    puppet.says(
        new AgentEvent.TurnStarted(true), new AgentEvent.SteerInjected(late.steerId(), "echo"));
    fixture.awaitRung(late.steerId(), Rung.INJECTED);
  }

  /** Seen to fail when the moves that follow are made nevertheless. */
  @Test
  void a_steer_that_the_agent_did_not_read_is_not_overtaken() {
    Run run = running("build it");
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    Receipt first = fixture.steer(run, "turn left");
    Receipt second = fixture.steer(run, "then right");
    puppet.onMessage(
        "steer " + first.steerId(), () -> puppet.answersWrites(Agent.WriteResult.WRITTEN));
    puppet.awaitMessage("steer " + second.steerId());
    assertThat(puppet.told.stream().filter(line -> line.startsWith("steer ")))
        .satisfiesExactly(
            line -> assertThat(line).contains("turn left"),
            line -> assertThat(line).contains("then right"));
  }

  /** Seen to fail when nothing wakes the loop. */
  @Test
  void an_interrupt_that_the_agent_did_not_read_is_written_again() {
    Run run = running("build it");
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    fixture.steer(run, "stop that, do this", SteerMode.INTERRUPT);
    await().until(() -> puppet.timesTurnedAway("interrupt") > 10);
    puppet.answersWrites(Agent.WriteResult.WRITTEN);
    puppet.awaitMessage("interrupt");
  }

  @Test
  void an_interrupt_breaks_the_turn_off_once_and_opens_the_next() {
    Run run = running("build it");
    Receipt held = fixture.steer(run, "when you are done, tidy up", SteerMode.FOLLOW_UP);
    Receipt now = fixture.steer(run, "stop that, do this", SteerMode.INTERRUPT);
    puppet.awaitMessage("interrupt");
    puppet.says(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "interrupted", ""));

    String opening = puppet.awaitMessage("prompt 2: ");
    assertThat(opening.indexOf("stop that, do this"))
        .isPositive()
        .isLessThan(opening.indexOf("when you are done"));
    puppet.begins(2);
    puppet.ends("did this");
    assertThat(fixture.awaitEnd(now.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(held.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(puppet.countMessages("interrupt")).isEqualTo(1);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  @Test
  void guidance_for_the_next_call_goes_before_the_prompt_and_expires_when_no_call_comes() {
    Run run = running("build it");
    Receipt guidance = fixture.steer(run, "ignore style nits", SteerMode.NEXT);
    Receipt followUp = fixture.steer(run, "review it", SteerMode.FOLLOW_UP);
    puppet.ends("built");
    String opening = puppet.awaitMessage("prompt 2: ");
    assertThat(opening.indexOf("ignore style nits")).isLessThan(opening.indexOf("review it"));
    puppet.begins(2);
    Receipt unused = fixture.steer(run, "nothing comes after this", SteerMode.NEXT);
    puppet.ends("reviewed");

    assertThat(fixture.awaitEnd(guidance.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(followUp.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(unused.steerId()).ended()).contains(SteerEnd.EXPIRED);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  @Test
  void the_newest_replaces_the_older_ones_when_the_run_wants_the_latest() {
    Run run = fixture.run("build it", PendingPolicy.LATEST, EngineSettings.ANY_WORKER);
    puppet.awaitMessage("prompt 1: ");
    Receipt first = fixture.steer(run, "first");
    Receipt second = fixture.steer(run, "second");
    puppet.begins(1);

    puppet.awaitMessage("steer " + second.steerId());
    assertThat(fixture.awaitEnd(first.steerId()).ended()).contains(SteerEnd.SUPERSEDED);
    assertThat(puppet.countMessages("steer " + first.steerId())).isZero();
  }

  @Test
  void one_per_boundary_waits_until_the_one_before_is_in_the_conversation() {
    Run run = fixture.run("build it", PendingPolicy.ONE, EngineSettings.ANY_WORKER);
    puppet.awaitMessage("prompt 1: ");
    puppet.begins(1);
    Receipt first = fixture.steer(run, "first");
    Receipt second = fixture.steer(run, "second");
    puppet.awaitMessage("steer " + first.steerId());
    fixture.awaitRung(first.steerId(), Rung.OFFERED);
    assertThat(puppet.countMessages("steer " + second.steerId())).isZero();

    puppet.says(new AgentEvent.SteerInjected(first.steerId(), "echo"));
    puppet.awaitMessage("steer " + second.steerId());
  }

  @Test
  void a_withdrawn_steer_that_waits_is_gone_and_one_the_agent_holds_is_asked_back() {
    Run run = running("build it");
    Receipt waiting = fixture.steer(run, "later", SteerMode.FOLLOW_UP);
    assertThat(fixture.engine().steering().withdraw(waiting.steerId(), "changed my mind").ended())
        .contains(SteerEnd.WITHDRAWN);

    Receipt held = fixture.steer(run, "now");
    puppet.awaitMessage("steer " + held.steerId());
    Thread answer =
        Thread.startVirtualThread(() -> {
          puppet.awaitMessage("withdraw " + held.steerId());
          puppet.says(new AgentEvent.SteerGivenBack(held.steerId(), true));
        });
    assertThat(fixture.engine().steering().withdraw(held.steerId(), "no").ended())
        .contains(SteerEnd.WITHDRAWN);
    await().until(() -> !answer.isAlive());
  }

  @Test
  void a_withdrawal_that_comes_too_late_is_refused() {
    Run run = running("build it");
    Receipt held = fixture.steer(run, "now");
    puppet.awaitMessage("steer " + held.steerId());
    puppet.says(new AgentEvent.SteerInjected(held.steerId(), "echo"));
    fixture.awaitRung(held.steerId(), Rung.INJECTED);

    assertThatThrownBy(() -> fixture.engine().steering().withdraw(held.steerId(), "no"))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().code()).isEqualTo(Code.TOO_LATE));
  }

  @Test
  void a_pending_follow_up_can_be_edited_and_promoted() {
    Run run = running("build it");
    Receipt pending = fixture.steer(run, "tidy up", SteerMode.FOLLOW_UP);
    Receipt edited =
        fixture.engine().steering().edit(pending.steerId(), SteerText.of("tidy up the tests"));
    assertThat(edited.edits()).isEqualTo(1);
    fixture.engine().steering().promote(pending.steerId());

    assertThat(puppet.awaitMessage("steer " + pending.steerId())).contains("tidy up the tests");
  }

  /** Seen to fail when SteerService.intake does not look the key up. */
  @Test
  void t14_the_same_key_gives_the_same_receipt_and_other_content_is_a_conflict() {
    Run run = running("build it");
    IdempotencyKey key = IdempotencyKey.of("k-1");
    SteerRequest request = SteerRequest.steer("once").withKey(key);
    SubmitResult first = submit(run, request);
    SubmitResult again = submit(run, request);
    assertThat(again.repeated()).isTrue();
    assertThat(again.receipt().steerId()).isEqualTo(first.receipt().steerId());
    assertThatThrownBy(() ->
            fixture
                .engine()
                .steering()
                .submit(run.id(), EngineFixture.PERSON, SteerRequest.steer("twice").withKey(key)))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> assertThat(e.problem().code()).isEqualTo(Code.KEY_CONFLICT));
    puppet.awaitMessage("steer " + first.receipt().steerId());
    assertThat(puppet.countMessages("once")).isEqualTo(1);
  }

  private SubmitResult submit(Run run, SteerRequest request) {
    return fixture.engine().steering().submit(run.id(), EngineFixture.PERSON, request);
  }

  @Test
  void a_steer_for_an_ended_or_unknown_run_is_refused_with_what_to_do() {
    Run run = running("build it");
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThatThrownBy(() -> fixture.steer(run, "too late"))
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> {
              assertThat(e.problem().code()).isEqualTo(Code.RUN_ENDED);
              assertThat(e.problem().message()).contains("new run");
            });
    assertThatThrownBy(() ->
            fixture
                .engine()
                .steering()
                .submit(RunId.of("nobody"), EngineFixture.PERSON, SteerRequest.steer("hello")))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.problem().code()).isEqualTo(Code.NOT_FOUND));
    assertThat(fixture.open(run.id())).isEmpty();
  }

  /** Seen to fail when SteerDelivery.offer takes an unread write for delivered. */
  @Test
  void t23_an_agent_that_does_not_read_is_offered_the_steer_again_when_it_does() {
    Run run = running("build it");
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    Receipt steer = fixture.steer(run, "use tabs");
    await().until(() -> fixture.receipt(steer.steerId()).rung() == Rung.STORED);
    puppet.answersWrites(Agent.WriteResult.WRITTEN);

    puppet.awaitMessage("steer " + steer.steerId());
    fixture.awaitRung(steer.steerId(), Rung.OFFERED);
  }

  /** Seen to fail when RunTermination.end leaves open steers as they are. */
  @Test
  void t30_t32_stop_ends_the_agent_and_gives_every_open_steer_its_end() {
    Run run = running("build it");
    Receipt waiting = fixture.steer(run, "later", SteerMode.FOLLOW_UP);
    Receipt stop = fixture.steer(run, "enough", SteerMode.STOP);

    Run stopped = fixture.awaitState(run.id(), RunState.STOPPED);
    assertThat(puppet.alive()).isFalse();
    assertThat(stopped.endedAt()).isPresent();
    assertThat(fixture.awaitEnd(stop.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(waiting.steerId()).ended()).contains(SteerEnd.EXPIRED);
    assertThat(fixture.open(run.id())).isEmpty();
  }

  /** Seen to fail when SteeringPlan does not sort by sequence. */
  @Test
  void t04_steers_reach_the_agent_in_their_sequence() {
    Run run = running("build it");
    List<SteerId> sent =
        java.util.stream.IntStream.range(0, 200)
            .mapToObj(i -> fixture.steer(run, "number " + i).steerId())
            .toList();
    puppet.awaitMessage("steer " + sent.getLast());
    assertThat(
            puppet.told.stream()
                .filter(line -> line.startsWith("steer "))
                .map(line -> SteerId.of(line.substring(6, 42))))
        .containsExactlyElementsOf(sent);
  }

  private static Capabilities holding() {
    return Capabilities.FULL.without(Capability.MID_TURN_STEER);
  }

  /** Says what it holds and never what it has taken in. */
  private static Capabilities accepting() {
    return Capabilities.of(
        Capability.MID_TURN_STEER,
        Capability.ACCEPTED_EVIDENCE,
        Capability.INTERRUPT,
        Capability.INTERRUPT_ENDS_TOOLS,
        Capability.RESUME,
        Capability.BARRIER,
        Capability.ASKS_PERMISSION);
  }

  /** Seen to fail when AgentEventHandler calls what was accepted answered when the turn ends. */
  @Test
  void t01_an_accepted_steer_of_which_the_agent_says_no_more_is_unknown_when_its_turn_ends() {
    Run run = acceptingRun();
    Receipt steer = accepted(run, "use tabs");
    puppet.ends("done");

    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(fixture.awaitEnd(steer.steerId()).ended()).contains(SteerEnd.UNKNOWN);
  }

  /** Seen to fail when AgentEventHandler.settleInTransit is always certain. */
  @Test
  void t07_an_accepted_steer_that_an_interrupt_may_have_dropped_is_unknown_and_not_sent_again() {
    Run run = acceptingRun();
    Receipt steer = accepted(run, "use tabs");
    fixture.steer(run, "stop that", SteerMode.INTERRUPT);
    puppet.awaitMessage("interrupt");
    puppet.says(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "interrupted", ""));

    assertThat(puppet.awaitMessage("prompt 2: ")).contains("stop that").doesNotContain("use tabs");
    assertThat(fixture.awaitEnd(steer.steerId()).ended()).contains(SteerEnd.UNKNOWN);
  }

  private Run acceptingRun() {
    puppet.that(accepting());
    return running("build it");
  }

  private Receipt accepted(Run run, String text) {
    Receipt steer = fixture.steer(run, text);
    puppet.awaitMessage("steer " + steer.steerId());
    puppet.says(new AgentEvent.SteerAccepted(steer.steerId(), "it says so"));
    return fixture.awaitRung(steer.steerId(), Rung.ACCEPTED);
  }
}
