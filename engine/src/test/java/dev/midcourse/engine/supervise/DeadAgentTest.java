package dev.midcourse.engine.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgentDriver;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What becomes of steers when their agent dies, or the hub goes and comes back. */
class DeadAgentTest extends ScriptedAgentDriver {

  /** Seen to fail when AttemptTermination.settleInTransit gives nothing back. */
  @Test
  void t41_an_agent_that_dies_is_started_again_in_its_session_with_its_open_steers() {
    Run run = running("build it");
    Receipt held = fixture.steer(run, "use tabs");
    puppet.awaitMessage("steer " + held.steerId());
    puppet.says(new AgentEvent.SteerAccepted(held.steerId(), "ack"));
    puppet.dies();

    String opening = puppet.awaitMessage("prompt 2: ");
    assertThat(opening).contains("Go on with the task").contains("use tabs");
    assertThat(puppet.starts.getLast().resume()).isPresent();
    puppet.begins(2);
    puppet.ends("built");
    assertThat(fixture.awaitEnd(held.steerId()).ended()).contains(SteerEnd.CARRIED);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  @Test
  void attempts_that_are_killed_before_they_are_up_keep_the_session_and_the_steers_in_it() {
    Run run = running("build it");
    Receipt receipt = injected(run, "use tabs");
    puppet.slowToStart();
    for (int attempt = 2; attempt <= 4; attempt++) {
      int number = attempt;
      puppet.dies();
      await().until(() -> puppet.starts.size() == number);
      assertThat(puppet.starts.getLast().resume()).as("attempt %s", attempt).isPresent();
    }
    puppet.started();

    puppet.awaitMessage("prompt 2: ");
    puppet.begins(2);
    puppet.ends("built");
    assertThat(fixture.awaitEnd(receipt.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(puppet.countMessages("use tabs")).isEqualTo(1);
  }

  /** Seen to fail when AttemptTermination.isResumable never gives a session up. */
  @Test
  void t34_a_session_that_the_agent_refuses_again_and_again_is_given_up_but_not_its_steers() {
    Run run = running("build it");
    Receipt receipt = injected(run, "use tabs");
    puppet.slowToStart();
    puppet.dies();
    await().until(() -> puppet.starts.size() == 2);
    puppet.givesUp();
    await().until(() -> puppet.starts.size() == 3);
    assertThat(puppet.starts.getLast().resume()).isPresent();
    puppet.givesUp();
    await().until(() -> puppet.starts.size() == 4);
    assertThat(puppet.starts.getLast().resume()).isEmpty();
    puppet.started();

    assertThat(puppet.awaitMessage("prompt 2: build it")).contains("use tabs");
    puppet.begins(2);
    puppet.ends("built");
    assertThat(fixture.awaitEnd(receipt.steerId()).ended()).contains(SteerEnd.CARRIED);
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(fixture.ledger.read(r -> r.turn(run.id(), 2)).orElseThrow().endedAt()).isPresent();
  }

  /** Seen to fail when a turn counts as the task's because its message contains the prompt. */
  @Test
  void a_follow_up_that_contains_the_words_of_the_task_is_not_taken_for_the_task() {
    Run run = running("fix");
    Receipt next = fixture.steer(run, "fix the tests too", SteerMode.FOLLOW_UP);
    puppet.ends("fixed");
    puppet.awaitMessage("prompt 2: ");
    puppet.dies();

    assertThat(puppet.awaitMessage("prompt 3: ")).contains("Go on with the task");
    puppet.begins(3);
    puppet.ends("fixed");
    assertThat(puppet.awaitMessage("prompt 4: ")).contains("fix the tests too");
    puppet.begins(4);
    puppet.ends("tested");
    assertThat(fixture.awaitEnd(next.steerId()).ended()).contains(SteerEnd.ANSWERED);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  /** Seen to fail when AttemptTermination.settleInTransit does not look into the record. */
  @Test
  void t16_t19_a_steer_that_a_dead_agent_had_taken_in_without_saying_so_is_not_sent_again() {
    puppet.that(mute());
    Run run = running("build it");
    Receipt taken = fixture.steer(run, "use tabs");
    puppet.awaitMessage("steer " + taken.steerId());
    fixture.awaitRung(taken.steerId(), Rung.OFFERED);
    puppet.leavesRecordOf("build it", taken.steerId().value());
    puppet.dies();

    Receipt known = fixture.awaitRung(taken.steerId(), Rung.INJECTED);
    assertThat(known.rungs()).anyMatch(it -> it.evidence().contains("record of the session"));
    assertThat(puppet.awaitMessage("prompt 2: "))
        .doesNotContain("use tabs")
        .doesNotContain("build it");
    puppet.begins(2);
    puppet.ends("built");
    assertThat(fixture.awaitEnd(taken.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(puppet.countMessages("use tabs")).isEqualTo(1);
  }

  /** Seen to fail when Engine.recover takes every run that is running. */
  @Test
  void a_run_of_a_host_that_is_gone_waits_for_it_with_its_steers_however_old_its_lease() {
    Run ours = running("build it");
    RunId gone = RunId.of("gone");
    Instant longAgo = Instant.parse("2026-01-01T00:00:00Z");
    HostName elsewhere = HostName.of("elsewhere");
    RunChange picked = new RunChange.Picked(new Lease(elsewhere, longAgo), longAgo);
    Run queued = Run.queued(gone, ours.spec(), longAgo);
    Run theirs =
        switch (RunTransitions.apply(queued, picked)) {
          case Transition.Changed(Run run) -> run;
          case Transition.Rejected<Run> _, Transition.Stale<Run> _ -> queued;
        };
    fixture.ledger.write(tx -> {
      tx.put(theirs);
      tx.put(Attempt.begun(gone, 1, elsewhere, "a-mark-of-another-host", false, longAgo));
      return gone;
    });
    fixture.restartHub();
    Receipt kept = fixture.steer(theirs, "use tabs");
    assertThat(fixture.engine().attended()).containsExactly(ours.id());
    assertThat(fixture.now(gone).state()).isEqualTo(RunState.RUNNING);
    assertThat(fixture.receipt(kept.steerId()).rung()).isEqualTo(Rung.STORED);
  }

  /** Seen to fail when AttemptTermination.settleInTransit calls all that was offered delivered. */
  @Test
  void t23_a_steer_that_a_dead_agent_had_not_taken_in_is_sent_again() {
    puppet.that(mute());
    Run run = running("build it");
    Receipt held = fixture.steer(run, "use tabs");
    puppet.awaitMessage("steer " + held.steerId());
    fixture.awaitRung(held.steerId(), Rung.OFFERED);
    puppet.leavesRecordOf("build it");
    puppet.dies();

    assertThat(puppet.awaitMessage("prompt 2: ")).contains("use tabs");
    puppet.begins(2);
    puppet.ends("built");
    assertThat(fixture.awaitEnd(held.steerId()).ended()).contains(SteerEnd.CARRIED);
  }

  /** Seen to fail when AttemptTermination.endLost never finds the task missing. */
  @Test
  void t19_a_task_that_did_not_get_into_the_conversation_is_given_again() {
    Run run = fixture.run("build it");
    puppet.awaitMessage("prompt 1: build it");
    puppet.leavesRecordOf();
    puppet.dies();

    assertThat(puppet.awaitMessage("prompt 2: ")).contains("build it");
    assertThat(puppet.starts.getLast().resume()).isPresent();
    puppet.begins(2);
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
  }

  /** Seen to fail when AttemptTermination.settleInTransit takes silence for a no. */
  @Test
  void t15_a_steer_an_agent_without_evidence_died_with_is_unknown_and_never_sent_again() {
    puppet.that(mute());
    Run run = running("build it");
    Receipt held = fixture.steer(run, "use tabs");
    puppet.awaitMessage("steer " + held.steerId());
    fixture.awaitRung(held.steerId(), Rung.OFFERED);
    puppet.dies();

    assertThat(fixture.awaitEnd(held.steerId()).ended()).contains(SteerEnd.UNKNOWN);
    puppet.awaitMessage("prompt 2: ");
    assertThat(puppet.countMessages("use tabs")).isEqualTo(1);
    assertThat(run.id()).isNotNull();
  }

  /** Seen to fail when AttemptTermination.endLost tries for ever. */
  @Test
  void t20_a_run_whose_agent_only_dies_fails_after_its_attempts_and_leaves_no_steer_open() {
    Run run = running("build it");
    Receipt waiting = fixture.steer(run, "later", SteerMode.FOLLOW_UP);
    for (int attempt = 1; attempt <= EngineFixture.MAX_ATTEMPTS; attempt++) {
      int number = attempt;
      await().until(() -> puppet.starts.size() == number);
      puppet.awaitMessage("prompt " + number + ": ");
      puppet.dies();
    }

    assertThat(fixture.awaitState(run.id(), RunState.FAILED).result().orElseThrow())
        .contains(EngineFixture.MAX_ATTEMPTS + " attempts");
    assertThat(fixture.awaitEnd(waiting.steerId()).ended()).contains(SteerEnd.EXPIRED);
  }

  /** Seen to fail when AttemptTermination.endLost counts the tries of what cannot be started. */
  @Test
  void an_agent_that_lacks_what_a_person_has_to_bring_is_not_tried_again() {
    puppet.slowToStart();
    Run run = fixture.run("build it");
    Receipt early = fixture.steer(run, "use tabs");
    await().until(() -> puppet.starts.size() == 1);
    puppet.says(new AgentEvent.Exited(127, "the image shop:1 is not here: pull it", true));

    assertThat(fixture.awaitState(run.id(), RunState.FAILED).result())
        .contains("the agent could not be started: the image shop:1 is not here: pull it");
    assertThat(fixture.awaitEnd(early.steerId()).ended()).contains(SteerEnd.EXPIRED);
    assertThat(fixture.kinds(run.id())).doesNotContain("attempt_lost");
    assertThat(puppet.starts).hasSize(1);
  }

  /** Seen to fail when Supervisor attaches at the beginning of the output. */
  @Test
  void t16_a_hub_that_comes_back_finds_the_agent_reads_on_and_continues_steering() {
    Run run = running("build it");
    Receipt before = fixture.steer(run, "before");
    puppet.awaitMessage("steer " + before.steerId());
    fixture.awaitRung(before.steerId(), Rung.OFFERED);
    fixture.restartHub();

    await().until(() -> puppet.attaches.size() == 1);
    assertThat(puppet.attaches.getFirst().offset()).isPositive();
    Receipt after = fixture.steer(run, "after");
    puppet.awaitMessage("steer " + after.steerId());
    puppet.says(
        new AgentEvent.SteerInjected(before.steerId(), "echo"),
        new AgentEvent.SteerInjected(after.steerId(), "echo"));
    puppet.ends("built");
    assertThat(fixture.awaitEnd(before.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(fixture.awaitEnd(after.steerId()).ended()).contains(SteerEnd.ANSWERED);
    assertThat(puppet.starts).hasSize(1);
    fixture.awaitState(run.id(), RunState.DONE);
  }

  /** Seen to fail when a fenced supervisor returns without ending its agent. */
  @Test
  void the_agent_of_an_attempt_that_another_host_owns_is_ended_and_changes_nothing_more() {
    Run run = running("build it");
    HostName other = HostName.of("another-host");
    fixture
        .engine()
        .ledger()
        .write(tx -> {
          Instant now = Instant.now();
          RunChange taken = new RunChange.LeaseKept(1, new Lease(other, now.plusSeconds(60)), now);
          if (RunTransitions.apply(tx.run(run.id()).orElseThrow(), taken)
              instanceof Transition.Changed(Run next)) {
            tx.put(next);
          }
          return now;
        });
    puppet.says(new AgentEvent.Said("I work on"));

    await().until(() -> !puppet.alive());
    await().until(() -> fixture.engine().attended().isEmpty());
    Run after = fixture.now(run.id());
    assertThat(after.state()).isEqualTo(RunState.RUNNING);
    assertThat(after.lease().map(Lease::host)).contains(other);
    assertThat(fixture.kinds(run.id())).doesNotContain("said");
  }

  private static Capabilities mute() {
    return Capabilities.of(
        Capability.MID_TURN_STEER,
        Capability.INTERRUPT,
        Capability.INTERRUPT_ENDS_TOOLS,
        Capability.RESUME,
        Capability.BARRIER);
  }
}
