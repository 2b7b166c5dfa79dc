package dev.midcourse.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.run.Limits.Limit;
import dev.midcourse.core.run.Limits.Reached;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final Instant START = Instant.parse("2026-01-01T10:00:00Z");
  private static final Limits ALL =
      new Limits(Optional.of(Duration.ofHours(2)), Optional.of(1_000L), Optional.of(2_500_000L));

  private static Optional<Reached> reached(Usage spent, Duration after) {
    return ALL.reached(spent, START, START.plus(after));
  }

  @Test
  void below_every_limit_none_is_reached() {
    Usage spent = new Usage(600, 399, 2_499_999);
    assertThat(reached(spent, Duration.ofHours(2).minusNanos(1))).isEmpty();
  }

  @Test
  void the_time_is_over_at_its_end() {
    assertThat(reached(Usage.NOTHING, Duration.ofHours(2)))
        .contains(new Reached(Limit.TIME, "ran for 7200 s; the limit is 7200 s"));
    assertThat(ALL.endsAt(START)).contains(START.plus(Duration.ofHours(2)));
  }

  @Test
  void tokens_in_and_out_count_together() {
    assertThat(reached(new Usage(600, 400, 0), Duration.ZERO))
        .contains(new Reached(Limit.TOKENS, "used 1000 tokens; the limit is 1000"));
  }

  @Test
  void the_cost_is_reported_in_dollars() {
    assertThat(reached(new Usage(0, 0, 2_600_000), Duration.ZERO))
        .contains(new Reached(Limit.COST, "cost $2.6; the limit is $2.5"));
  }

  @Test
  void without_limits_nothing_is_ever_reached() {
    Usage much = new Usage(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, Long.MAX_VALUE);
    assertThat(Limits.NONE.reached(much, START, Instant.MAX)).isEmpty();
    assertThat(Limits.NONE.endsAt(START)).isEmpty();
  }
}
