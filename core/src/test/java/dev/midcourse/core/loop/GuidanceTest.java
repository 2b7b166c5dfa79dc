package dev.midcourse.core.loop;

import static dev.midcourse.core.loop.LoopTrial.finding;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Samples;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.steer.SteerText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Steers of a loop: which call gets them. */
class GuidanceTest {
  /** Seen to fail when the same id is ignored whatever its text is. */
  @Test
  void the_same_steer_again_changes_nothing_and_another_text_under_its_key_is_refused() {
    LoopTrial trial = LoopTrial.checking();
    SteerId id = trial.steer(GuidanceScope.FIX, "keep the API");
    trial.ignored(guide(id, GuidanceScope.FIX, "keep the API"));
    assertThat(trial.refused(guide(id, GuidanceScope.FIX, "drop the API")).code())
        .isEqualTo(Problem.Code.KEY_CONFLICT);
    assertThat(trial.refused(guide(id, GuidanceScope.NEXT, "keep the API")).code())
        .isEqualTo(Problem.Code.KEY_CONFLICT);
    trial.apply(new LoopCommand.Stop(Samples.ANNA));
    trial.ignored(guide(id, GuidanceScope.FIX, "keep the API"));
  }

  private static LoopCommand guide(SteerId id, GuidanceScope scope, String text) {
    return new LoopCommand.Guide(Samples.ANNA, id, scope, SteerText.of(text));
  }

  @Test
  void while_an_agent_works_a_steer_goes_to_its_run() {
    LoopTrial trial = LoopTrial.created().prepared();
    assertThat(trial.loop.destination(GuidanceScope.NOW)).isEqualTo("to the running implement");
    SteerId steer = trial.steer(GuidanceScope.NOW, "use tabs");
    assertThat(trial.acts).hasSize(1).first().isInstanceOf(LoopAct.GiveNow.class);
    assertThat(trial.takers(steer)).containsExactly(CallKind.IMPLEMENT);
  }

  /** Seen to fail when a call takes no guidance at its creation. */
  @Test
  void t621_in_a_wait_it_is_held_for_the_next_fix_and_given_exactly_once() {
    LoopTrial trial = LoopTrial.checking();
    assertThat(trial.loop.destination(GuidanceScope.NOW)).isEqualTo("held for fix 1");
    SteerId steer = trial.steer(GuidanceScope.NOW, "keep the API");
    assertThat(trial.guidance(steer).isHeld()).isTrue();
    trial.green().finds(finding("a"));
    assertThat(trial.takers(steer)).containsExactly(CallKind.FIX);
    trial.works().green().finds(finding("b"));
    assertThat(trial.takers(steer)).containsExactly(CallKind.FIX);
  }

  /** Seen to fail when later guidance replaces the earlier. */
  @Test
  void t696_all_steers_of_one_wait_reach_the_next_fix_in_their_order() {
    LoopTrial trial = LoopTrial.checking();
    SteerId first = trial.steer(GuidanceScope.NOW, "keep the API");
    SteerId second = trial.steer(GuidanceScope.NEXT, "no new library");
    SteerId third = trial.steer(GuidanceScope.FIX, "smaller steps");
    trial.green().finds(finding("a"));
    for (SteerId steer : List.of(first, second, third)) {
      assertThat(trial.takers(steer)).containsExactly(CallKind.FIX);
    }
    assertThat(trial.loop.guidance())
        .extracting(it -> it.text().value())
        .containsExactly("keep the API", "no new library", "smaller steps");
  }

  /** Seen to fail when a clean round ends the loop without asking for guidance that waits. */
  @Test
  void a_loop_does_not_end_while_guidance_for_a_fix_waits() {
    LoopTrial trial = LoopTrial.checking();
    SteerId steer = trial.steer(GuidanceScope.NOW, "also rename the class");
    trial.green().findsNothing();
    assertThat(trial.openKinds()).containsExactly(CallKind.FIX);
    assertThat(trial.takers(steer)).containsExactly(CallKind.FIX);
    trial.works().green().findsNothing().findsNothing();
    assertThat(trial.loop.phase()).isEqualTo(LoopPhase.DONE);
  }

  @Test
  void guidance_for_the_review_reaches_the_next_review_once() {
    LoopTrial trial = LoopTrial.created().prepared();
    SteerId steer = trial.steer(GuidanceScope.REVIEW, "look at the SQL");
    trial.works().green();
    assertThat(trial.takers(steer)).containsExactly(CallKind.REVIEW);
    SteerId more = trial.steer(GuidanceScope.REVIEW, "and at the logs");
    trial.findsNothing();
    assertThat(trial.loop.phase()).isEqualTo(LoopPhase.CHECK);
    assertThat(trial.takers(more)).containsExactly(CallKind.REVIEW);
  }

  @Test
  void standing_guidance_is_given_to_every_call_until_it_is_withdrawn() {
    LoopTrial trial = LoopTrial.created();
    SteerId steer = trial.steer(GuidanceScope.STANDING, "British spelling");
    trial.prepared().works().green().finds(finding("a"));
    assertThat(trial.takers(steer))
        .containsExactly(CallKind.IMPLEMENT, CallKind.REVIEW, CallKind.FIX);
    assertThat(trial.guidance(steer).bindings())
        .extracting(Guidance.Binding::steer)
        .doesNotHaveDuplicates();
    trial.apply(new LoopCommand.WithdrawGuidance(Samples.ANNA, steer, "enough"));
    trial.works();
    assertThat(trial.takers(steer)).hasSize(3);
  }

  @Test
  void guidance_that_the_run_never_got_waits_for_the_next_call() {
    LoopTrial trial = LoopTrial.created();
    SteerId steer = trial.steer(GuidanceScope.NEXT, "use tabs");
    trial.prepared();
    SteerId first = trial.guidance(steer).bindings().getFirst().steer();
    trial.workEnds(new CallEnd.Failed("no key"), Set.of(first));
    assertThat(trial.guidance(steer).isHeld()).isTrue();
    trial.go();
    assertThat(trial.guidance(steer).bindings())
        .extracting(Guidance.Binding::steer)
        .hasSize(1)
        .doesNotContain(first);
  }

  /** Seen to fail when a call that is cut short keeps the guidance that it never gave. */
  @Test
  void guidance_of_a_call_that_was_cut_short_waits_if_the_agent_never_got_it() {
    LoopTrial trial = LoopTrial.created();
    SteerId steer = trial.steer(GuidanceScope.NEXT, "use tabs");
    trial.prepared();
    SteerId first = trial.guidance(steer).bindings().getFirst().steer();
    trial.apply(new LoopCommand.Pause(Samples.ANNA));
    trial.apply(new LoopFact.NotOffered(1, Set.of(first)));
    assertThat(trial.guidance(steer).isHeld()).isTrue();
    trial.ignored(new LoopFact.NotOffered(1, Set.of(first)));
    trial.go();
    assertThat(trial.takers(steer)).containsExactly(CallKind.IMPLEMENT);
  }

  @Test
  void guidance_that_came_too_late_for_a_run_waits() {
    LoopTrial trial = LoopTrial.created().prepared();
    SteerId steer = trial.steer(GuidanceScope.NOW, "use tabs");
    trial.apply(new LoopFact.NotGiven(steer, trial.work()));
    assertThat(trial.guidance(steer).isHeld()).isTrue();
  }

  /** Seen to fail when it waits in a loop that has ended. */
  @Test
  void guidance_that_came_too_late_for_the_loop_is_ended_with_a_reason() {
    LoopTrial trial = LoopTrial.created().prepared();
    SteerId steer = trial.steer(GuidanceScope.NOW, "use tabs");
    int call = trial.work();
    trial.works().green().findsNothing();
    assertThat(trial.loop.phase()).isEqualTo(LoopPhase.DONE);
    trial.apply(new LoopFact.NotGiven(steer, call));
    assertThat(trial.guidance(steer).ended()).contains("the loop has ended");
    trial.ignored(new LoopFact.NotGiven(steer, call));
  }

  @Test
  void the_same_steer_is_stored_once() {
    LoopTrial trial = LoopTrial.checking();
    SteerId steer = trial.steer(GuidanceScope.NOW, "keep the API");
    trial.ignored(
        new LoopCommand.Guide(
            Samples.ANNA, steer, GuidanceScope.NOW, SteerText.of("keep the API")));
  }

  /** Seen to fail when the end of a loop leaves guidance as it is. */
  @Test
  void t622_at_a_stop_guidance_that_waits_is_ended_with_a_reason() {
    LoopTrial trial = LoopTrial.checking();
    SteerId steer = trial.steer(GuidanceScope.NEXT, "keep the API");
    trial.apply(new LoopCommand.Stop(Samples.ANNA));
    assertThat(trial.guidance(steer).ended()).contains("the loop has ended");
    assertThat(
            trial
                .refused(
                    new LoopCommand.Guide(
                        Samples.ANNA, trial.nextSteer(), GuidanceScope.NOW, SteerText.of("more")))
                .message())
        .contains("restart");
  }

  @Test
  void guidance_that_a_run_has_is_withdrawn_there() {
    LoopTrial trial = LoopTrial.created().prepared();
    SteerId steer = trial.steer(GuidanceScope.NOW, "use tabs");
    assertThat(trial.refused(new LoopCommand.WithdrawGuidance(Samples.ANNA, steer, "no")).message())
        .contains(trial.loop.openWork().orElseThrow().run().value());
  }

  @Test
  void so_much_guidance_may_wait_and_no_more() {
    LoopTrial trial = LoopTrial.checking();
    for (int i = 0; i < 50; i++) {
      trial.steer(GuidanceScope.NEXT, "note " + i);
    }
    assertThat(
            trial
                .refused(
                    new LoopCommand.Guide(
                        Samples.ANNA, trial.nextSteer(), GuidanceScope.NEXT, SteerText.of("x")))
                .rule())
        .isEqualTo("at most 50 waiting");
  }

  @Test
  void a_parked_loop_keeps_guidance_for_the_call_that_go_makes() {
    LoopTrial trial = LoopTrial.checking().green().reviewFails("no quota");
    SteerId steer = trial.steer(GuidanceScope.NOW, "smaller steps");
    assertThat(trial.loop.phase()).isEqualTo(LoopPhase.PARKED);
    trial.apply(new LoopCommand.Reword(Samples.ANNA, "Again", Optional.of(LoopPhase.IMPLEMENT)));
    assertThat(trial.takers(steer)).containsExactly(CallKind.IMPLEMENT);
  }
}
