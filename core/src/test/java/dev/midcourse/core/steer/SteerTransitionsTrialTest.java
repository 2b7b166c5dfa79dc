package dev.midcourse.core.steer;

import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import dev.midcourse.core.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All changes of a steer in whatever order: by chance, and every one within a few steps. */
class SteerTransitionsTrialTest {
  @Test
  void any_changes_keep_the_promises_of_a_receipt() {
    Set<Class<?>> worked = new HashSet<>();
    Set<SteerEnd> ends = EnumSet.noneOf(SteerEnd.class);
    // The rarest end is missing in some 4,000 trials.
    Seeded.trials(
        40_000,
        random -> {
          Steer steer = stored(1, Seeded.oneOf(random, SteerMode.values()));
          for (int step = 0; step < 25; step++) {
            SteerChange change = SteerChanges.any(random, after(random.nextInt(1_000)));
            Transition<Steer> outcome = SteerTransitions.apply(steer, change);
            if (outcome instanceof Transition.Changed(Steer next)) {
              SteerInvariants.hold(steer, change, next);
              worked.add(change.getClass());
              next.ended().ifPresent(ending -> ends.add(ending.how()));
              steer = next;
            }
          }
        });
    if (Long.getLong("midcourse.seed") == null) {
      assertThat(worked)
          .as("every change was tried where it works")
          .hasSize(SteerChange.class.getPermittedSubclasses().length);
      assertThat(ends).containsExactlyInAnyOrder(SteerEnd.values());
    }
  }

  @ParameterizedTest
  @EnumSource(SteerMode.class)
  void every_state_within_five_changes_of_two_attempts_is_sound_and_has_a_way_out(SteerMode mode) {
    List<SteerChange> alphabet = SteerChanges.all(0, 1, 2);
    Set<Steer> reached = new HashSet<>();
    List<Steer> edge = List.of(stored(1, mode));
    for (int depth = 0; depth < 5; depth++) {
      List<Steer> next = new ArrayList<>();
      for (Steer steer : edge) {
        for (SteerChange change : alphabet) {
          if (SteerTransitions.apply(steer, change) instanceof Transition.Changed(Steer then)) {
            SteerInvariants.hold(steer, change, then);
            if (then.edits() < 2 && reached.add(then)) {
              next.add(then);
            }
          }
        }
      }
      edge = next;
    }
    assertThat(reached).hasSizeGreaterThan(500);
    assertThat(reached.stream().filter(Steer::open)).allMatch(SteerTransitionsTrialTest::canEnd);
    assertThat(reached.stream().filter(steer -> !steer.open()))
        .allMatch(steer ->
            alphabet.stream()
                .allMatch(change -> SteerTransitionsTest.nothingCameOf(steer, change)));
  }

  /** Whether the end of the run, as the engine finds the steer, can end it. */
  private static boolean canEnd(Steer steer) {
    Instant at = after(9);
    SteerChange end =
        steer.pending()
            ? new SteerChange.Expired(at, "the run ended")
            : steer.inTransit()
                ? new SteerChange.LostTrack(steer.holder(), at, "the agent died")
                : new SteerChange.Answered(steer.holder(), at, "the turn ended");
    return SteerTransitions.apply(steer, end) instanceof Transition.Changed(Steer over)
        && !over.open();
  }
}
