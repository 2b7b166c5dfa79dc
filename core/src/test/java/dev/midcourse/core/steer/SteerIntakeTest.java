package dev.midcourse.core.steer;

import static dev.midcourse.core.Samples.START;
import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.request;
import static dev.midcourse.core.Samples.steerId;
import static dev.midcourse.core.Samples.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Samples;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerIntake.IntakeDecision;
import dev.midcourse.core.steer.SteerIntake.Known;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SteerIntakeTest {
  private static final IdempotencyKey KEY = IdempotencyKey.of("order-7");

  /** Seen to fail when SteerIntake leaves a field of the request out. */
  @Test
  void t40_a_sound_request_is_stored_at_the_first_rung_with_all_it_said() {
    SteerRequest asked =
        full(
            SteerMode.FOLLOW_UP,
            OnUnsupported.FAIL,
            Optional.of(0),
            Optional.of(Duration.ofMinutes(5)));

    Steer steer = stored(7, asked);

    assertThat(steer.id()).isEqualTo(steerId(7));
    assertThat(steer.seq()).isEqualTo(7);
    assertThat(steer.run()).isEqualTo(Samples.RUN);
    assertThat(steer.author()).isEqualTo(Samples.ANNA);
    assertThat(steer.mode()).isEqualTo(SteerMode.FOLLOW_UP);
    assertThat(steer.deliveredMode()).isEmpty();
    assertThat(steer.onUnsupported()).isEqualTo(OnUnsupported.FAIL);
    assertThat(steer.text()).isEqualTo(asked.text());
    assertThat(steer.key()).contains(KEY);
    assertThat(steer.expectedTurn()).contains(0);
    assertThat(steer.expiresAt()).contains(START.plusSeconds(300));
    assertThat(steer.pending()).isTrue();
    assertThat(steer.rungs())
        .containsExactly(new RungClaim(Rung.STORED, START, 0, "committed to the ledger"));
  }

  @Nested
  class One_key_one_effect {
    @Test
    void the_same_key_with_the_same_content_is_a_repeat() {
      SteerRequest asked = request(SteerMode.STEER, "use tabs").withKey(KEY);
      Steer before = stored(1, asked);

      assertThat(judgeKeyed(asked, before)).isEqualTo(new IntakeDecision.Repeat(before));
    }

    /** Seen to fail when SteerIntake looks at the key only while the run is live. */
    @Test
    void t17_a_repeat_after_the_end_of_the_steer_and_of_the_run_still_gets_its_receipt() {
      SteerRequest asked = request(SteerMode.STEER, "use tabs").withKey(KEY);
      Steer over =
          SteerTransitionsTest.changed(stored(1, asked), new SteerChange.Withdrawn(after(1), "no"));
      Known known =
          new Known(
              Samples.ended(RunState.DONE),
              Samples.ANNA,
              false,
              () -> Capabilities.FULL,
              Optional.of(over),
              Optional.empty(),
              () -> 0,
              2);

      assertThat(SteerIntake.judge(asked, known, steerId(2), after(99)))
          .isEqualTo(new IntakeDecision.Repeat(over));
    }

    static Stream<SteerRequest> otherContents() {
      return Stream.of(
          keyed("use spaces", SteerMode.STEER),
          keyed("use tabs ", SteerMode.STEER),
          keyed("use tabs", SteerMode.INTERRUPT),
          full(SteerMode.STEER, OnUnsupported.FAIL, Optional.empty(), Optional.empty()),
          full(SteerMode.STEER, OnUnsupported.DEGRADE, Optional.of(1), Optional.empty()),
          full(
              SteerMode.STEER,
              OnUnsupported.DEGRADE,
              Optional.empty(),
              Optional.of(Duration.ofSeconds(9))),
          new SteerRequest(
              SteerText.of("use tabs"),
              SteerMode.STEER,
              Optional.of(KEY),
              Optional.empty(),
              Optional.empty(),
              OnUnsupported.DEGRADE,
              Optional.of(SteerReference.to(steerId(5)))));
    }

    @ParameterizedTest
    @MethodSource("otherContents")
    void the_same_key_with_other_content_is_a_conflict(SteerRequest other) {
      Steer before = stored(1, keyed("use tabs", SteerMode.STEER));

      Problem problem = refused(judgeKeyed(other, before));

      assertThat(problem.code()).isEqualTo(Code.KEY_CONFLICT);
      assertThat(problem.field()).isEqualTo("key");
      assertThat(problem.message()).contains(before.id().shortened());
    }

    /** Seen to fail when the digest of the content leaves the run out. */
    @Test
    void the_same_key_for_another_run_is_a_conflict() {
      SteerRequest asked = keyed("use tabs", SteerMode.STEER);
      Steer elsewhere = Samples.storedElsewhere(1, asked);

      assertThat(refused(judgeKeyed(asked, elsewhere)).code()).isEqualTo(Code.KEY_CONFLICT);
    }

    @Test
    void a_repeat_after_an_edit_is_still_a_repeat_and_other_content_still_a_conflict() {
      SteerRequest asked = request(SteerMode.STEER, "use tabs").withKey(KEY);
      Steer edited =
          SteerTransitionsTest.changed(
              stored(1, asked), new SteerChange.Edited(SteerText.of("use spaces"), after(1)));

      assertThat(judgeKeyed(asked, edited)).isEqualTo(new IntakeDecision.Repeat(edited));
      SteerRequest other = request(SteerMode.STEER, "delete the tests").withKey(KEY);
      assertThat(refused(judgeKeyed(other, edited)).code()).isEqualTo(Code.KEY_CONFLICT);
      SteerRequest asEdited = request(SteerMode.STEER, "use spaces").withKey(KEY);
      assertThat(refused(judgeKeyed(asEdited, edited)).code()).isEqualTo(Code.KEY_CONFLICT);
    }

    @Test
    void a_repeat_after_a_promotion_is_still_a_repeat() {
      SteerRequest asked = request(SteerMode.FOLLOW_UP, "use tabs").withKey(KEY);
      Steer promoted =
          SteerTransitionsTest.changed(stored(1, asked), new SteerChange.Promoted(after(1)));

      assertThat(judgeKeyed(asked, promoted)).isEqualTo(new IntakeDecision.Repeat(promoted));
      assertThat(refused(judgeKeyed(asked.withMode(SteerMode.STEER), promoted)).code())
          .isEqualTo(Code.KEY_CONFLICT);
    }

    @Test
    void no_text_can_pass_for_the_fields_beside_it() {
      SteerRequest one =
          full(SteerMode.STEER, OnUnsupported.DEGRADE, Optional.of(1), Optional.empty());
      SteerRequest two =
          full(SteerMode.STEER, OnUnsupported.DEGRADE, Optional.of(11), Optional.empty());

      assertThat(one.contentDigest(Samples.RUN)).isNotEqualTo(two.contentDigest(Samples.RUN));
      assertThat(one.contentDigest(Samples.RUN)).matches("[0-9a-f]{64}");
    }
  }

  @ParameterizedTest
  @EnumSource(RunState.class)
  void only_a_live_run_takes_a_steer_and_an_ended_one_says_how_it_ended(RunState state) {
    Run run =
        switch (state) {
          case QUEUED -> Samples.queued();
          case RUNNING -> Samples.running();
          case REVIEW_REQUESTED, DONE, FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, STOPPED ->
              Samples.ended(state);
        };

    IntakeDecision verdict = judge(request(SteerMode.STEER, "use tabs"), run, Capabilities.FULL);

    if (state.live()) {
      assertThat(verdict).isInstanceOf(IntakeDecision.Store.class);
      return;
    }
    Problem problem = refused(verdict);
    assertThat(problem.code()).isEqualTo(Code.RUN_ENDED);
    assertThat(problem.field()).isEqualTo("run_id");
    assertThat(problem.message()).contains(state.wire());
    assertThat(problem.message().contains("restart it")).isEqualTo(state.retryable());
  }

  /** Seen to fail when SteerIntake does not compare the expected turn. */
  @Test
  void t05_a_wrong_expected_turn_is_refused_and_both_turns_are_named() {
    SteerRequest asked =
        full(SteerMode.STEER, OnUnsupported.DEGRADE, Optional.of(2), Optional.empty());

    Problem problem = refused(judge(asked, Samples.inTurn(3), Capabilities.FULL));

    assertThat(problem.code()).isEqualTo(Code.WRONG_TURN);
    assertThat(problem.field()).isEqualTo("expected_turn");
    assertThat(problem.message()).contains("turn 2").contains("turn 3");
    assertThat(judge(asked, Samples.inTurn(2), Capabilities.FULL))
        .isInstanceOf(IntakeDecision.Store.class);
  }

  @Test
  void turns_beyond_the_small_numbers_are_compared_by_value() {
    SteerRequest asked =
        full(SteerMode.STEER, OnUnsupported.DEGRADE, Optional.of(1_000), Optional.empty());

    assertThat(judge(asked, Samples.inTurn(1_000), Capabilities.FULL))
        .isInstanceOf(IntakeDecision.Store.class);
  }

  @Test
  void the_open_steers_of_a_run_are_limited() {
    SteerRequest asked = request(SteerMode.STEER, "use tabs");
    Known full = known(Samples.running(), Capabilities.FULL, SteerIntake.MAX_OPEN);
    Known oneLeft = known(Samples.running(), Capabilities.FULL, SteerIntake.MAX_OPEN - 1);

    Problem problem = refused(SteerIntake.judge(asked, full, steerId(1), START));

    assertThat(problem.code()).isEqualTo(Code.LIMIT);
    assertThat(problem.rule()).contains("1000");
    assertThat(SteerIntake.judge(asked, oneLeft, steerId(1), START))
        .isInstanceOf(IntakeDecision.Store.class);
  }

  @Nested
  class Supersedes {
    @Test
    void a_pending_steer_of_the_run_is_replaced() {
      Steer older = stored(1, SteerMode.STEER);

      IntakeDecision verdict = replace(Optional.of(older));

      assertThat(verdict).isInstanceOf(IntakeDecision.Store.class);
      IntakeDecision.Store store = (IntakeDecision.Store) verdict;
      assertThat(store.steer().supersedes()).contains(steerId(1));
      assertThat(store.superseded().orElseThrow().ended().map(SteerEnding::how))
          .contains(SteerEnd.SUPERSEDED);
      assertThat(store.superseded().orElseThrow().ended().map(SteerEnding::reason))
          .contains("replaced by " + steerId(2));
    }

    @Test
    void a_missing_one_is_named() {
      Problem problem = refused(replace(Optional.empty()));

      assertThat(problem.code()).isEqualTo(Code.NOT_FOUND);
      assertThat(problem.field()).isEqualTo("supersedes");
      assertThat(problem.message()).contains(steerId(1).value());
    }

    /** Seen to fail when SteerIntake takes the superseded steer from any run. */
    @Test
    void t26_a_steer_of_another_run_is_not_found() {
      Steer elsewhere = Samples.storedElsewhere(1, SteerRequest.steer("use tabs"));

      assertThat(refused(replace(Optional.of(elsewhere))).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void the_agent_is_asked_first_when_it_has_the_older_one() {
      Steer older = SteerTransitionsTest.offered();

      assertThat(replace(Optional.of(older), true))
          .isInstanceOfSatisfying(
              IntakeDecision.Store.class, store -> assertThat(store.superseded()).isEmpty());
      Problem problem = refused(replace(Optional.of(older), false));
      assertThat(problem.code()).isEqualTo(Code.TOO_LATE);
      assertThat(problem.field()).isEqualTo("supersedes");
    }

    @Test
    void a_supervisor_ends_the_older_one_itself() {
      assertThat(replace(Optional.of(stored(1, SteerMode.STEER)), true))
          .isInstanceOfSatisfying(
              IntakeDecision.Store.class, store -> assertThat(store.superseded()).isEmpty());
    }

    @Test
    void one_that_is_in_the_conversation_or_has_ended_can_no_longer_be_replaced() {
      Steer over =
          SteerTransitionsTest.changed(
              stored(1, SteerMode.STEER), new SteerChange.Withdrawn(after(1), "no"));

      for (Steer late : List.of(SteerTransitionsTest.injected(), over)) {
        for (boolean supervised : new boolean[] {true, false}) {
          Problem problem = refused(replace(Optional.of(late), supervised));
          assertThat(problem.code()).isEqualTo(Code.TOO_LATE);
          assertThat(problem.field()).isEqualTo("supersedes");
          assertThat(problem.message()).contains(steerId(1).shortened());
        }
      }
    }

    private static IntakeDecision replace(Optional<Steer> older) {
      return replace(older, false);
    }

    private static IntakeDecision replace(Optional<Steer> older, boolean supervised) {
      SteerRequest asked =
          new SteerRequest(
              SteerText.of("use spaces"),
              SteerMode.STEER,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              OnUnsupported.DEGRADE,
              Optional.of(SteerReference.to(steerId(1))));
      Known known =
          new Known(
              Samples.running(),
              Samples.ANNA,
              supervised,
              () -> Capabilities.FULL,
              Optional.empty(),
              older,
              () -> 1,
              2);
      return SteerIntake.judge(asked, known, steerId(2), after(2));
    }
  }

  /** Seen to fail when SteerIntake takes every mode for supported. */
  @ParameterizedTest
  @EnumSource(SteerMode.class)
  void t10_an_agent_that_cannot_do_the_mode_degrades_or_fails_as_the_author_chose(SteerMode mode) {
    boolean needsMore = mode == SteerMode.STEER || mode == SteerMode.INTERRUPT;
    SteerRequest failing = full(mode, OnUnsupported.FAIL, Optional.empty(), Optional.empty());
    SteerRequest degrading = full(mode, OnUnsupported.DEGRADE, Optional.empty(), Optional.empty());

    assertThat(judge(degrading, Samples.running(), Capabilities.NONE))
        .isInstanceOf(IntakeDecision.Store.class);
    assertThat(judge(failing, Samples.running(), Capabilities.FULL))
        .isInstanceOf(IntakeDecision.Store.class);
    IntakeDecision verdict = judge(failing, Samples.running(), Capabilities.NONE);
    if (!needsMore) {
      assertThat(verdict).isInstanceOf(IntakeDecision.Store.class);
      return;
    }
    Problem problem = refused(verdict);
    assertThat(problem.code()).isEqualTo(Code.UNSUPPORTED);
    assertThat(problem.field()).isEqualTo("mode");
    assertThat(problem.message()).contains("rehearsal").contains(mode.wire());
  }

  private static SteerRequest keyed(String text, SteerMode mode) {
    return SteerRequest.steer(text).withMode(mode).withKey(KEY);
  }

  private static SteerRequest full(
      SteerMode mode,
      OnUnsupported onUnsupported,
      Optional<Integer> expectedTurn,
      Optional<Duration> timeToLive) {
    return new SteerRequest(
        SteerText.of("use tabs"),
        mode,
        Optional.of(KEY),
        expectedTurn,
        timeToLive,
        onUnsupported,
        Optional.empty());
  }

  private static Known known(Run run, Capabilities can, int open) {
    return new Known(
        run,
        Samples.ANNA,
        false,
        () -> can,
        Optional.empty(),
        Optional.empty(),
        () -> open,
        1 + 2L * open);
  }

  private static IntakeDecision judge(SteerRequest request, Run run, Capabilities can) {
    return SteerIntake.judge(request, known(run, can, 0), steerId(1), START);
  }

  private static IntakeDecision judgeKeyed(SteerRequest request, Steer before) {
    Known known =
        new Known(
            Samples.running(),
            Samples.ANNA,
            false,
            () -> Capabilities.FULL,
            Optional.of(before),
            Optional.empty(),
            () -> 1,
            2);
    return SteerIntake.judge(request, known, steerId(2), after(5));
  }

  private static Problem refused(IntakeDecision verdict) {
    assertThat(verdict).isInstanceOf(IntakeDecision.Refuse.class);
    return ((IntakeDecision.Refuse) verdict).problem();
  }
}
