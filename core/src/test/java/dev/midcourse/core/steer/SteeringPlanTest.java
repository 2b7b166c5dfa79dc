package dev.midcourse.core.steer;

import static dev.midcourse.core.Samples.START;
import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.request;
import static dev.midcourse.core.Samples.steerId;
import static dev.midcourse.core.Samples.stored;
import static dev.midcourse.core.steer.SteerTransitionsTest.changed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.steer.SteeringPlan.SteerAction;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SteeringPlanTest {
  private static final TurnState RUNNING = new TurnState.Running(1);
  private static final TurnState SETTLED = new TurnState.Settled(1);

  /** One pending steer: what is done with it, for every mode, turn and ability that matters. */
  @ParameterizedTest
  @CsvSource({
    // mode,     turn,         mid-turn, interrupt, what
    "STEER,      running,      true,     true,      offer",
    "STEER,      running,      true,     false,     offer",
    "STEER,      running,      false,    true,      hold",
    "STEER,      running,      false,    false,     hold",
    "STEER,      settled,      true,     true,      open",
    "STEER,      settled,      false,    false,     open",
    "INTERRUPT,  running,      true,     true,      interrupt",
    "INTERRUPT,  running,      false,    true,      interrupt",
    "INTERRUPT,  running,      true,     false,     offer",
    "INTERRUPT,  running,      false,    false,     hold",
    "INTERRUPT,  settled,      true,     true,      open",
    "INTERRUPT,  settled,      false,    false,     open",
    "FOLLOW_UP,  running,      true,     true,      hold",
    "FOLLOW_UP,  running,      false,    false,     hold",
    "FOLLOW_UP,  settled,      true,     true,      open",
    "FOLLOW_UP,  settled,      false,    false,     open",
    "NEXT,       running,      true,     true,      hold",
    "NEXT,       settled,      true,     true,      hold",
    "STOP,       running,      true,     true,      hold",
    "STOP,       settled,      true,     true,      hold",
    "STEER,      opening,      true,     true,      hold",
    "STEER,      interrupting, true,     true,      hold",
    "INTERRUPT,  opening,      true,     true,      hold",
    "INTERRUPT,  interrupting, true,     true,      hold",
    "FOLLOW_UP,  opening,      true,     true,      hold",
    "FOLLOW_UP,  interrupting, true,     true,      hold",
    "NEXT,       opening,      true,     true,      hold",
    "NEXT,       interrupting, true,     true,      hold",
  })
  void a_single_pending_steer_is_treated_the_same_under_every_policy(
      SteerMode mode, String turn, boolean midTurn, boolean interrupt, String what) {
    Steer steer = stored(1, mode);
    List<SteerAction> expected =
        switch (what) {
          case "offer" -> List.of(new SteerAction.Offer(steer));
          case "open" -> List.of(new SteerAction.OpenTurn(List.of(), List.of(steer)));
          case "interrupt" -> List.of(new SteerAction.Interrupt(steer));
          case "hold" -> List.of();
          default -> throw new IllegalArgumentException(what);
        };

    for (PendingPolicy policy : PendingPolicy.values()) {
      assertThat(moves(turn(turn), can(midTurn, interrupt), policy, steer))
          .as("%s", policy)
          .isEqualTo(expected);
    }
  }

  @Nested
  class In_order {
    private final Steer first = stored(1, SteerMode.STEER);
    private final Steer second = stored(2, SteerMode.STEER);
    private final Steer followUp = stored(3, SteerMode.FOLLOW_UP);
    private final Steer interrupt = stored(4, SteerMode.INTERRUPT);
    private final Steer guidance = stored(5, SteerMode.NEXT);

    @Test
    void all_are_offered_at_one_boundary_in_sequence_however_they_are_listed() {
      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, second, followUp, first))
          .containsExactly(new SteerAction.Offer(first), new SteerAction.Offer(second));
    }

    @Test
    void one_is_offered_and_the_next_waits_until_it_is_in_the_conversation() {
      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ONE, first, second))
          .containsExactly(new SteerAction.Offer(first));
      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ONE, inTransit(1), second))
          .isEmpty();
      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ONE, inConversation(1), second))
          .containsExactly(new SteerAction.Offer(second));
    }

    @Test
    void only_an_interrupt_overtakes_and_everything_else_waits_for_it() {
      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, first, interrupt))
          .containsExactly(new SteerAction.Interrupt(interrupt));
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, first, followUp, interrupt))
          .containsExactly(
              new SteerAction.OpenTurn(List.of(), List.of(interrupt, first, followUp)));
    }

    @Test
    void an_interrupt_that_the_agent_cannot_do_goes_before_the_steers_of_the_same_boundary() {
      assertThat(moves(RUNNING, can(true, false), PendingPolicy.ALL, first, interrupt))
          .containsExactly(new SteerAction.Offer(interrupt), new SteerAction.Offer(first));
      assertThat(moves(RUNNING, can(true, false), PendingPolicy.ONE, first, interrupt))
          .containsExactly(new SteerAction.Offer(interrupt));
    }

    @Test
    void the_turn_is_broken_off_once_for_an_interrupt() {
      Steer broken = changed(interrupt, new SteerChange.TurnBrokenOff(1, after(1)));

      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, broken))
          .containsExactly(new SteerAction.Offer(broken));
      assertThat(moves(RUNNING, can(false, true), PendingPolicy.ALL, broken)).isEmpty();
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, broken))
          .containsExactly(new SteerAction.OpenTurn(List.of(), List.of(broken)));
    }

    @Test
    void of_two_interrupts_the_first_breaks_the_turn_off_and_both_open_the_next() {
      Steer other = stored(6, SteerMode.INTERRUPT);

      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, other, interrupt))
          .containsExactly(new SteerAction.Interrupt(interrupt));
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, other, interrupt))
          .containsExactly(new SteerAction.OpenTurn(List.of(), List.of(interrupt, other)));
    }

    @Test
    void one_opens_the_next_turn_alone_and_guidance_goes_with_whatever_opens_it() {
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ONE, first, followUp, guidance))
          .containsExactly(new SteerAction.OpenTurn(List.of(guidance), List.of(first)));
    }

    @Test
    void guidance_opens_no_turn_by_itself_and_does_not_keep_a_run_open() {
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, guidance)).isEmpty();
      assertThat(SteeringPlan.canEnd(List.of(guidance))).isTrue();
      assertThat(SteeringPlan.canEnd(List.of(guidance, followUp))).isFalse();
      Steer over = changed(followUp, new SteerChange.Withdrawn(after(1), "no"));
      assertThat(SteeringPlan.canEnd(List.of(over))).isTrue();
    }

    /** Seen to fail when SteeringPlan opens a turn although something is in transit. */
    @Test
    void t04_what_the_agent_still_holds_comes_before_the_next_turn() {
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, inTransit(1), followUp))
          .isEmpty();
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, inConversation(1), followUp))
          .containsExactly(new SteerAction.OpenTurn(List.of(), List.of(followUp)));
    }

    @ParameterizedTest
    @EnumSource(PendingPolicy.class)
    void what_the_agent_has_or_what_has_ended_is_not_offered_again(PendingPolicy policy) {
      Steer over = changed(stored(8, SteerMode.STEER), new SteerChange.Withdrawn(after(1), "no"));

      assertThat(moves(RUNNING, Capabilities.FULL, policy, inTransit(1), over)).isEmpty();
      assertThat(moves(RUNNING, Capabilities.FULL, policy, inConversation(1), over)).isEmpty();
    }
  }

  @Nested
  class The_newest_replaces_the_older {
    private final Steer first = stored(1, SteerMode.STEER);
    private final Steer second = stored(2, SteerMode.STEER);
    private final Steer third = stored(3, SteerMode.STEER);

    @Test
    void pending_ones_are_superseded_and_the_newest_is_offered() {
      assertThat(latest(RUNNING, third, first, second))
          .containsExactly(
              new SteerAction.Supersede(first, third),
              new SteerAction.Supersede(second, third),
              new SteerAction.Offer(third));
      assertThat(latest(SETTLED, first, second))
          .containsExactly(
              new SteerAction.Supersede(first, second),
              new SteerAction.OpenTurn(List.of(), List.of(second)));
      assertThat(latest(new TurnState.Opening(2), first, second))
          .containsExactly(new SteerAction.Supersede(first, second));
    }

    @Test
    void one_that_the_agent_holds_is_taken_back_where_the_agent_can_give_it() {
      Steer held = inTransit(1);

      assertThat(latest(RUNNING, held, second))
          .containsExactly(new SteerAction.TakeBack(held, second), new SteerAction.Offer(second));
      assertThat(moves(RUNNING, can(true, true), PendingPolicy.LATEST, held, second))
          .containsExactly(new SteerAction.Offer(second));
    }

    @Test
    void one_that_came_back_is_not_offered_after_the_newer_one_the_agent_has() {
      assertThat(latest(RUNNING, first, inTransit(2)))
          .containsExactly(new SteerAction.Supersede(first, inTransit(2)));
      assertThat(latest(RUNNING, first, inConversation(2)))
          .containsExactly(new SteerAction.Supersede(first, inConversation(2)));
    }

    @Test
    void what_is_in_the_conversation_stays_there() {
      assertThat(latest(RUNNING, inConversation(1), second))
          .containsExactly(new SteerAction.Offer(second));
    }

    @Test
    void other_modes_are_not_replaced() {
      Steer followUp = stored(4, SteerMode.FOLLOW_UP);

      assertThat(latest(SETTLED, stored(1, SteerMode.FOLLOW_UP), followUp))
          .containsExactly(
              new SteerAction.OpenTurn(
                  List.of(), List.of(stored(1, SteerMode.FOLLOW_UP), followUp)));
    }

    @Test
    void one_whose_time_is_over_replaces_nothing() {
      Steer brief = brief(2);

      assertThat(
              new SteeringPlan(
                      List.of(first, brief),
                      RUNNING,
                      Capabilities.FULL,
                      PendingPolicy.LATEST,
                      after(60))
                  .moves())
          .containsExactly(
              new SteerAction.Expire(brief, "not delivered within its TTL"),
              new SteerAction.Offer(first));
    }

    private static List<SteerAction> latest(TurnState turn, Steer... steers) {
      return moves(turn, Capabilities.FULL, PendingPolicy.LATEST, steers);
    }
  }

  @Nested
  class A_steer_that_names_the_one_it_replaces {
    private final Steer first = stored(1, SteerMode.STEER);
    private final Steer other = stored(2, SteerMode.STEER);
    private final Steer newer = replacing(3, 1);

    @ParameterizedTest
    @EnumSource(
        value = PendingPolicy.class,
        names = {"ALL", "ONE"})
    void replaces_that_one_only(PendingPolicy policy) {
      assertThat(moves(new TurnState.Opening(1), Capabilities.FULL, policy, first, other, newer))
          .containsExactly(new SteerAction.Supersede(first, newer));
    }

    @Test
    void has_it_taken_back_from_an_agent_that_can_give_it() {
      Steer held = inTransit(1);

      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, held, newer))
          .containsExactly(new SteerAction.TakeBack(held, newer), new SteerAction.Offer(newer));
      assertThat(moves(RUNNING, can(true, true), PendingPolicy.ALL, held, newer))
          .containsExactly(new SteerAction.Offer(newer));
      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, inConversation(1), newer))
          .containsExactly(new SteerAction.Offer(newer));
    }

    @Test
    void replaces_it_also_when_it_comes_back_after_the_newer_one_was_given_to_the_agent() {
      Steer given =
          changed(newer, new SteerChange.Offered(1, SteerMode.STEER, after(1), "written"));
      Steer shown = changed(given, new SteerChange.Injected(1, after(2), "shown"));

      assertThat(moves(RUNNING, Capabilities.FULL, PendingPolicy.ALL, first, given))
          .containsExactly(new SteerAction.Supersede(first, given));
      assertThat(moves(SETTLED, Capabilities.FULL, PendingPolicy.ALL, first, shown))
          .containsExactly(new SteerAction.Supersede(first, shown));
    }

    private static Steer replacing(long seq, long older) {
      return stored(
          seq,
          new SteerRequest(
              SteerText.of("instead"),
              SteerMode.STEER,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              OnUnsupported.DEGRADE,
              Optional.of(SteerReference.to(steerId(older)))),
          stored(older, SteerMode.STEER));
    }
  }

  @Nested
  class Time_to_live {
    @ParameterizedTest
    @EnumSource(PendingPolicy.class)
    void a_pending_steer_expires_at_its_moment_and_not_before(PendingPolicy policy) {
      Steer brief = brief(1);

      assertThat(at(after(9), policy, RUNNING, brief).moves())
          .containsExactly(new SteerAction.Offer(brief));
      assertThat(at(after(10), policy, RUNNING, brief).moves())
          .containsExactly(new SteerAction.Expire(brief, "not delivered within its TTL"));
      assertThat(at(after(10), policy, new TurnState.Opening(1), brief).moves())
          .containsExactly(new SteerAction.Expire(brief, "not delivered within its TTL"));
    }

    @Test
    void what_the_agent_has_does_not_expire() {
      Steer held =
          changed(brief(1), new SteerChange.Offered(1, SteerMode.STEER, after(1), "written"));

      assertThat(at(after(60), PendingPolicy.ALL, RUNNING, held).moves()).isEmpty();
      assertThat(at(after(1), PendingPolicy.ALL, RUNNING, held).lookAgainAt()).isEmpty();
    }

    @Test
    void the_plan_says_when_to_look_again() {
      Steer later = stored(2, withLife(Duration.ofSeconds(90)));

      assertThat(at(after(1), PendingPolicy.ALL, RUNNING, later, brief(1)).lookAgainAt())
          .contains(after(10));
      assertThat(at(after(1), PendingPolicy.ALL, RUNNING, stored(3, SteerMode.STEER)).lookAgainAt())
          .isEmpty();
    }

    private static SteeringPlan at(
        Instant now, PendingPolicy policy, TurnState turn, Steer... steers) {
      return new SteeringPlan(List.of(steers), turn, Capabilities.FULL, policy, now);
    }
  }

  @Nested
  class Expected_turn {
    /** Seen to fail when SteeringPlan forgets tooLateFor. */
    @Test
    void t05_a_steer_for_a_turn_is_offered_only_in_that_turn() {
      Steer steer = meantFor(1, SteerMode.STEER);

      assertThat(plan(new TurnState.Running(1), steer))
          .containsExactly(new SteerAction.Offer(steer));
      for (TurnState late :
          List.of(new TurnState.Settled(1), new TurnState.Opening(2), new TurnState.Running(2))) {
        assertThat(plan(late, steer))
            .containsExactly(new SteerAction.Expire(steer, "turn 1 was over"));
      }
    }

    @Test
    void an_interrupt_opens_the_turn_after_the_one_it_broke_off() {
      Steer fresh = meantFor(1, SteerMode.INTERRUPT);
      Steer brokeOff = changed(fresh, new SteerChange.TurnBrokenOff(1, after(1)));

      assertThat(plan(new TurnState.Running(1), fresh))
          .containsExactly(new SteerAction.Interrupt(fresh));
      assertThat(plan(new TurnState.Settled(1), fresh))
          .containsExactly(new SteerAction.Expire(fresh, "turn 1 was over"));
      assertThat(plan(new TurnState.Settled(1), brokeOff))
          .containsExactly(new SteerAction.OpenTurn(List.of(), List.of(brokeOff)));
    }

    @Test
    void a_follow_up_comes_after_its_turn() {
      Steer later = meantFor(1, SteerMode.FOLLOW_UP);

      assertThat(plan(new TurnState.Settled(1), later))
          .containsExactly(new SteerAction.OpenTurn(List.of(), List.of(later)));
    }

    private static List<SteerAction> plan(TurnState turn, Steer steer) {
      return moves(turn, Capabilities.FULL, PendingPolicy.ALL, steer);
    }

    private static Steer meantFor(int turn, SteerMode mode) {
      SteerRequest plain = request(mode, "now");
      return stored(
          1,
          new SteerRequest(
              plain.text(),
              plain.mode(),
              plain.key(),
              Optional.of(turn),
              plain.timeToLive(),
              plain.onUnsupported(),
              plain.supersedes()));
    }
  }

  private static SteerRequest withLife(Duration life) {
    SteerRequest plain = request(SteerMode.STEER, "soon");
    return new SteerRequest(
        plain.text(),
        plain.mode(),
        plain.key(),
        plain.expectedTurn(),
        Optional.of(life),
        plain.onUnsupported(),
        plain.supersedes());
  }

  private static Steer brief(long seq) {
    return stored(seq, withLife(Duration.ofSeconds(10)));
  }

  private static Steer inTransit(long seq) {
    return changed(
        stored(seq, SteerMode.STEER),
        new SteerChange.Offered(1, SteerMode.STEER, after(1), "written"));
  }

  private static Steer inConversation(long seq) {
    return changed(inTransit(seq), new SteerChange.Injected(1, after(2), "shown"));
  }

  private static List<SteerAction> moves(
      TurnState turn, Capabilities can, PendingPolicy policy, Steer... steers) {
    return new SteeringPlan(List.of(steers), turn, can, policy, START).moves();
  }

  private static TurnState turn(String name) {
    return switch (name) {
      case "settled" -> new TurnState.Settled(1);
      case "opening" -> new TurnState.Opening(1);
      case "running" -> new TurnState.Running(1);
      case "interrupting" -> new TurnState.Interrupting(1);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** An agent that cannot give anything back. */
  static Capabilities can(boolean midTurnSteer, boolean interrupt) {
    Set<Capability> all = EnumSet.allOf(Capability.class);
    all.remove(Capability.WITHDRAW);
    if (!midTurnSteer) {
      all.remove(Capability.MID_TURN_STEER);
    }
    if (!interrupt) {
      all.remove(Capability.INTERRUPT);
    }
    return new Capabilities(all);
  }
}
