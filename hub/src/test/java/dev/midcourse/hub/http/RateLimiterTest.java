package dev.midcourse.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void a_burst_is_let_through_and_then_so_many_per_second() {
    RateLimiter bound = new RateLimiter(10, 3, 0);
    assertThat(letsAt(bound, 0, 5)).isEqualTo(3);
    assertThat(letsAt(bound, SECOND / 10, 5)).isEqualTo(1);
    assertThat(letsAt(bound, 60 * SECOND, 5)).as("never more than the burst").isEqualTo(3);
  }

  @Test
  void a_clock_that_stands_still_or_goes_back_gives_nothing_for_free() {
    RateLimiter bound = new RateLimiter(10, 1, SECOND);
    assertThat(letsAt(bound, SECOND, 2)).isEqualTo(1);
    assertThat(letsAt(bound, 0, 2)).isZero();
  }

  private static int letsAt(RateLimiter bound, long now, int times) {
    int let = 0;
    for (int i = 0; i < times; i++) {
      let += bound.tryAcquire(now) ? 1 : 0;
    }
    return let;
  }
}
