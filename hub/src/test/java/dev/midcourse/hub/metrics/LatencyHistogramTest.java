package dev.midcourse.hub.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void percentiles_are_right_to_about_a_tenth() {
    LatencyHistogram timing = new LatencyHistogram();
    for (int i = 1; i <= 1000; i++) {
      timing.took(Duration.ofMillis(i), NOON);
    }
    Percentage tenth = Percentage.withPercentage(10);
    assertThat(timing.millis(0.5, NOON).orElseThrow()).isCloseTo(500, tenth);
    assertThat(timing.millis(0.99, NOON).orElseThrow()).isCloseTo(990, tenth);
    assertThat(timing.millis(1, NOON).orElseThrow()).isCloseTo(1000, tenth);
  }

  @Test
  void what_is_older_than_an_hour_no_longer_counts_but_stays_in_the_total() {
    LatencyHistogram timing = new LatencyHistogram();
    timing.took(Duration.ofSeconds(5), NOON);
    timing.took(Duration.ofMillis(5), NOON.plus(Duration.ofMinutes(59)));
    assertThat(timing.countInLastHour(NOON.plus(Duration.ofMinutes(59)))).isEqualTo(2);
    assertThat(timing.countInLastHour(NOON.plus(Duration.ofMinutes(61)))).isEqualTo(1);
    assertThat(timing.millis(1, NOON.plus(Duration.ofMinutes(61))).orElseThrow())
        .isCloseTo(5, Percentage.withPercentage(10));
    assertThat(timing.millis(1, NOON.plus(Duration.ofHours(3)))).isEmpty();
    assertThat(timing.total().count()).isEqualTo(2);
  }

  @Test
  void the_buckets_count_what_is_up_to_their_border() {
    LatencyHistogram timing = new LatencyHistogram();
    timing.took(Duration.ofMillis(2), NOON);
    timing.took(Duration.ofMillis(3), NOON);
    timing.took(Duration.ofMinutes(2), NOON);
    timing.took(Duration.ofMillis(-7), NOON);
    int twoMillis = LatencyHistogram.BORDERS.indexOf(0.002);
    assertThat(timing.total().upToBorder().get(twoMillis)).isEqualTo(2);
    assertThat(timing.total().upToBorder().getLast()).isEqualTo(3);
    assertThat(timing.total().count()).isEqualTo(4);
    assertThat(timing.total().sumSeconds()).isCloseTo(120.005, within(1e-9));
  }
}
