package dev.midcourse.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.LoopId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The times at which loops look at their forges. */
class LookScheduleTest {
  private static final Instant NOW = Instant.parse("2026-11-18T08:00:00Z");

  @Test
  void a_loop_looks_often_for_two_minutes_and_then_more_and_more_rarely() {
    List<Long> seconds =
        IntStream.range(0, 15)
            .mapToObj(looks -> LookSchedule.DEFAULT.delay(looks, 0.5).toSeconds())
            .toList();
    assertThat(seconds)
        .containsExactly(
            15L, 15L, 15L, 15L, 15L, 15L, 15L, 15L, 30L, 60L, 120L, 240L, 300L, 300L, 300L);
  }

  @Test
  void loops_that_began_together_do_not_stay_together() {
    Duration early = LookSchedule.DEFAULT.delay(20, 0);
    Duration late = LookSchedule.DEFAULT.delay(20, 1);
    assertThat(late.minus(early)).isEqualTo(Duration.ofSeconds(60));
  }

  /** Seen to fail when a loop may take a time that another one has. */
  @Test
  void t674_a_thousand_loops_that_want_to_look_at_once_look_one_after_the_other() {
    HostBudget budget = new HostBudget(Duration.ofMillis(500));
    List<Instant> times =
        IntStream.range(0, 1_000).mapToObj(n -> budget.take("github", loop(n), NOW)).toList();
    assertThat(times).doesNotHaveDuplicates().isSorted();
    assertThat(times.getLast()).isEqualTo(NOW.plusMillis(999 * 500));
  }

  /** Seen to fail when a limit holds for all forges, or for none. */
  @Test
  void t675_a_forge_that_says_wait_holds_back_its_own_loops_only() {
    HostBudget budget = new HostBudget(Duration.ofMillis(500));
    budget.pause("github", NOW.plusSeconds(90));
    assertThat(budget.take("github", loop(1), NOW)).isEqualTo(NOW.plusSeconds(90));
    assertThat(budget.take("gitlab", loop(2), NOW)).isEqualTo(NOW);
  }

  /** Seen to fail when a time can only be after all times that were given before. */
  @Test
  void a_loop_that_looks_rarely_delays_no_other_loop_and_not_its_own_next_look() {
    HostBudget budget = new HostBudget(Duration.ofMillis(500));
    assertThat(budget.take("github", loop(1), NOW.plusSeconds(300)))
        .isEqualTo(NOW.plusSeconds(300));
    assertThat(budget.take("github", loop(2), NOW)).isEqualTo(NOW);
    assertThat(budget.take("github", loop(3), NOW)).isEqualTo(NOW.plusMillis(500));
    assertThat(budget.take("github", loop(1), NOW)).isEqualTo(NOW.plusMillis(1_000));
    budget.release("github", loop(2));
    assertThat(budget.take("github", loop(4), NOW)).isEqualTo(NOW);
  }

  private static LoopId loop(int number) {
    return LoopId.of("loop-" + number);
  }
}
