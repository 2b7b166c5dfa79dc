package dev.midcourse.core.run;

import static dev.midcourse.core.Samples.START;
import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.ended;
import static dev.midcourse.core.Samples.lease;
import static dev.midcourse.core.Samples.queued;
import static dev.midcourse.core.Samples.running;
import static dev.midcourse.core.Samples.spec;
import static dev.midcourse.core.Samples.then;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Seeded;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunTransitionsTest {

  @Nested
  class In_whatever_order {
    @Test
    void any_changes_keep_the_promises_of_a_run() {
      Set<Class<?>> worked = new HashSet<>();
      Set<RunState> states = EnumSet.noneOf(RunState.class);
      Seeded.trials(
          4_000,
          random -> {
            Run run = queued();
            for (int step = 0; step < 40; step++) {
              RunChange change = RunChanges.any(random, run, after(random.nextInt(2_000)));
              if (RunTransitions.apply(run, change) instanceof Transition.Changed(Run next)) {
                RunInvariants.hold(run, change, next);
                worked.add(change.getClass());
                states.add(next.state());
                run = next;
              }
            }
          });
      if (Long.getLong("midcourse.seed") == null) {
        assertThat(worked).hasSize(RunChange.class.getPermittedSubclasses().length);
        assertThat(states).containsExactlyInAnyOrder(RunState.values());
      }
    }

    @Test
    void every_state_within_five_changes_is_sound() {
      Set<Run> reached = new HashSet<>();
      List<Run> edge = List.of(queued());
      for (int depth = 0; depth < 5; depth++) {
        List<Run> next = new ArrayList<>();
        for (Run run : edge) {
          for (RunChange change : RunChanges.few()) {
            if (RunTransitions.apply(run, change) instanceof Transition.Changed(Run after)) {
              RunInvariants.hold(run, change, after);
              if (reached.add(after)) {
                next.add(after);
              }
            }
          }
        }
        edge = next;
      }
      assertThat(reached).hasSizeGreaterThan(50);
      assertThat(reached.stream().map(Run::state)).contains(RunState.values());
    }
  }

  @Test
  void a_run_is_picked_worked_on_and_done() {
    Run run =
        then(
            then(then(running(), new RunChange.TurnOpened(1, after(1))), turnFinished(1)),
            new RunChange.Finished(1, new RunOutcome(RunState.DONE, "fixed"), after(9)));

    assertThat(run.state()).isEqualTo(RunState.DONE);
    assertThat(run.attempt()).isEqualTo(1);
    assertThat(run.turn()).isEqualTo(1);
    assertThat(run.startedAt()).contains(START);
    assertThat(run.endedAt()).contains(after(9));
    assertThat(run.result()).contains("fixed");
    assertThat(run.lease()).isEmpty();
  }

  @Nested
  class Attempts {
    @Test
    void a_lost_attempt_waits_for_its_pause_and_the_next_one_has_the_next_number() {
      Run lost = then(running(), lost(1, Duration.ofSeconds(5), false));

      assertThat(lost.state()).isEqualTo(RunState.QUEUED);
      assertThat(lost.failures()).isEqualTo(1);
      assertThat(lost.notBefore()).contains(after(15));
      assertStale(lost, new RunChange.Picked(lease(after(14)), after(14)));
      Run again = then(lost, new RunChange.Picked(lease(after(15)), after(15)));
      assertThat(again.attempt()).isEqualTo(2);
      assertThat(again.notBefore()).isEmpty();
      assertThat(again.startedAt()).contains(START);
    }

    /** Seen to fail when RunTransitions does not compare the number of the attempt. */
    @Test
    void t36_the_word_of_an_attempt_that_is_over_changes_nothing() {
      Run again =
          then(
              then(running(), lost(1, Duration.ZERO, false)),
              new RunChange.Picked(lease(after(20)), after(20)));

      for (RunChange late : RunChanges.ofAttempt(1, after(30))) {
        assertStale(again, late);
      }
    }

    @Test
    void a_lost_attempt_cannot_end_the_run_that_waits_to_be_tried_again() {
      Run lost = then(running(), lost(1, Duration.ofSeconds(5), false));

      for (RunState state : RunState.values()) {
        if (!state.live() && state != RunState.STOPPED) {
          assertStale(lost, new RunChange.Finished(1, new RunOutcome(state, "late"), after(11)));
        }
      }
      assertThat(
              then(
                      lost,
                      new RunChange.Finished(
                          1, new RunOutcome(RunState.STOPPED, "asked for"), after(11)))
                  .state())
          .isEqualTo(RunState.STOPPED);
    }

    @Test
    void a_finished_turn_ends_a_row_of_failures() {
      Run run =
          then(
              then(running(), lost(1, Duration.ZERO, false)),
              new RunChange.Picked(lease(after(20)), after(20)));

      assertThat(run.failures()).isEqualTo(1);
      assertThat(then(run, turnFinished(2)).failures()).isZero();
    }

    @Test
    void a_session_is_kept_for_the_next_attempt_unless_it_is_lost() {
      SessionId session = SessionId.of("ses_1");
      Run named = then(running(), new RunChange.SessionNamed(1, session, after(1)));

      assertThat(then(named, lost(1, Duration.ZERO, false)).session()).contains(session);
      assertThat(then(named, lost(1, Duration.ZERO, true)).session()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RunState.class,
      names = {"QUEUED", "RUNNING"},
      mode = EnumSource.Mode.EXCLUDE)
  void an_ended_run_changes_only_by_a_restart_or_a_review(RunState state) {
    Run over = ended(state);

    for (RunChange change : RunChanges.ofAttempt(1, after(99))) {
      assertStale(over, change);
    }
    assertStale(over, new RunChange.Picked(lease(after(99)), after(99)));
    assertThat(problem(over, new RunChange.StopAsked(after(99))).code()).isEqualTo(Code.RUN_ENDED);
    RunChange restart = new RunChange.Restarted(spec(), false, after(99));
    RunChange review = new RunChange.ReviewAccepted(after(99));
    if (state.retryable()) {
      Run again = then(over, restart);
      assertThat(again.state()).isEqualTo(RunState.QUEUED);
      assertThat(again.attempt()).isEqualTo(over.attempt());
      assertThat(again.promptDue()).isTrue();
      assertThat(again.startedAt()).as("its time begins anew").isEmpty();
      assertThat(again.endedAt()).isEmpty();
      assertThat(again.result()).isEmpty();
    } else {
      assertThat(problem(over, restart).code()).isEqualTo(Code.DUPLICATE);
    }
    if (state == RunState.REVIEW_REQUESTED) {
      assertThat(then(over, review).state()).isEqualTo(RunState.DONE);
      assertThat(then(over, review).needs()).isEmpty();
    } else {
      assertThat(problem(over, review).field()).isEqualTo("run_id");
    }
  }

  @Test
  void a_live_run_is_not_restarted_and_says_what_to_do_instead() {
    Problem problem = problem(running(), new RunChange.Restarted(spec(), true, after(1)));

    assertThat(problem.code()).isEqualTo(Code.DUPLICATE);
    assertThat(problem.message()).contains("running").contains("steer it");
  }

  @Test
  void a_fresh_restart_begins_a_new_conversation_and_another_continues_with_the_old() {
    SessionId session = SessionId.of("ses_1");
    Run failed =
        then(
            then(running(), new RunChange.SessionNamed(1, session, after(1))),
            new RunChange.Finished(1, new RunOutcome(RunState.FAILED, "broke"), after(2)));

    assertThat(then(failed, new RunChange.Restarted(spec(), true, after(3))).session()).isEmpty();
    assertThat(then(failed, new RunChange.Restarted(spec(), false, after(3))).session())
        .contains(session);
  }

  /** Seen to fail when RunTransitions forgets that a stop was asked for. */
  @Test
  void t30_a_stop_that_was_asked_for_is_remembered_until_it_is_carried_out() {
    Run asked = then(running(), new RunChange.StopAsked(after(1)));
    Run lost = then(asked, lost(1, Duration.ZERO, false));
    Run stopped =
        then(
            asked,
            new RunChange.Finished(1, new RunOutcome(RunState.STOPPED, "asked for"), after(2)));

    assertThat(asked.stopAsked()).isTrue();
    assertThat(lost.stopAsked()).isTrue();
    assertThat(stopped.stopAsked()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(RunState.class)
  void an_ended_run_needs_attention_unless_done_or_stopped(RunState state) {
    if (state.live()) {
      return;
    }
    boolean fine = state == RunState.DONE || state == RunState.STOPPED;
    assertThat(ended(state).needs().isEmpty()).isEqualTo(fine);
  }

  @Test
  void usage_adds_up() {
    Run run =
        then(
            then(running(), new RunChange.Used(1, new Usage(10, 5, 300), after(1))),
            new RunChange.Used(1, new Usage(1, 2, 3), after(2)));

    assertThat(run.spent()).isEqualTo(new Usage(11, 7, 303));
  }

  private static RunChange turnFinished(int attempt) {
    return new RunChange.TurnFinished(attempt, after(5));
  }

  private static RunChange lost(int attempt, Duration pause, boolean sessionLost) {
    return new RunChange.AttemptLost(attempt, pause, sessionLost, false, "died", after(10));
  }

  private static void assertStale(Run run, RunChange change) {
    assertThat(RunTransitions.apply(run, change))
        .as("%s", change)
        .isInstanceOf(Transition.Stale.class);
  }

  private static Problem problem(Run run, RunChange change) {
    Transition<Run> verdict = RunTransitions.apply(run, change);
    assertThat(verdict).isInstanceOf(Transition.Rejected.class);
    Problem problem = ((Transition.Rejected) verdict).problem();
    assertThat(Optional.of(problem.message())).get().asString().contains(run.id().value());
    return problem;
  }
}
