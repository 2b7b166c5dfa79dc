package dev.midcourse.core.run;

import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.running;
import static dev.midcourse.core.Samples.spec;
import static dev.midcourse.core.Samples.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleRunTest {
  private static final Duration LINGER = Duration.ofMinutes(10);

  private static Run idle(Run run, long since) {
    return then(
        run, new RunChange.WentIdle(1, IdlePeriod.after(after(since), LINGER), after(since)));
  }

  @Test
  void the_next_turn_ends_the_idle_time_and_counts_it() {
    Run first = then(idle(running(), 10), new RunChange.TurnOpened(1, after(40)));
    assertThat(first.idle()).isEmpty();
    assertThat(first.idled()).isEqualTo(Duration.ofSeconds(30));

    Run second = then(idle(first, 50), new RunChange.TurnOpened(1, after(55)));
    assertThat(second.idled()).isEqualTo(Duration.ofSeconds(35));
  }

  @Test
  void a_clock_that_goes_back_shortens_no_idle_time_below_zero() {
    Run run = then(idle(running(), 10), new RunChange.TurnOpened(1, after(5)));
    assertThat(run.idled()).isEqualTo(Duration.ZERO);
  }

  @Test
  void the_end_of_a_run_and_the_loss_of_its_agent_end_the_idle_time() {
    Run idle = idle(running(), 10);
    RunOutcome done = new RunOutcome(RunState.DONE, "built");
    assertThat(then(idle, new RunChange.Finished(1, done, after(40))).idle()).isEmpty();
    assertThat(
            then(idle, new RunChange.AttemptLost(1, Duration.ZERO, false, false, "died", after(40)))
                .idle())
        .isEmpty();
  }

  @Test
  void a_restarted_run_was_never_idle() {
    RunOutcome stopped = new RunOutcome(RunState.STOPPED, "asked for");
    Run ended = then(idle(running(), 10), new RunChange.Finished(1, stopped, after(40)));
    assertThat(ended.idled()).isEqualTo(Duration.ofSeconds(30));
    Run again = then(ended, new RunChange.Restarted(spec(), false, after(50)));
    assertThat(again.idled()).isEqualTo(Duration.ZERO);
  }

  @Test
  void an_idle_time_is_over_at_its_deadline() {
    IdlePeriod period = IdlePeriod.after(after(0), LINGER);
    assertThat(period.isOver(after(599))).isFalse();
    assertThat(period.isOver(after(600))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 86_401})
  void a_linger_of_no_time_or_of_more_than_a_day_is_refused(long seconds) {
    assertThatThrownBy(() -> spec().withLinger(Optional.of(Duration.ofSeconds(seconds))))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.problem().field()).isEqualTo("linger"));
  }
}
