package dev.midcourse.hub.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBucket;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final Histogram sinceStart = SteerLatency.histogram();
  private final LatencyHistogram timing = new LatencyHistogram(sinceStart.labelValues("hop"));

  private HistogramDataPointSnapshot total() {
    return sinceStart.collect().getDataPoints().getFirst();
  }

  private long upTo(double border) {
    return total().getClassicBuckets().stream()
        .filter(bucket -> bucket.getUpperBound() <= border)
        .mapToLong(ClassicHistogramBucket::getCount)
        .sum();
  }

  @Test
  void percentiles_are_right_to_about_a_tenth() {
    for (int i = 1; i <= 1000; i++) {
      timing.took(Duration.ofMillis(i), NOON);
    }
    Percentage tenth = Percentage.withPercentage(10);
    assertThat(timing.millis(0.5, NOON).orElseThrow()).isCloseTo(500, tenth);
    assertThat(timing.millis(0.99, NOON).orElseThrow()).isCloseTo(990, tenth);
    assertThat(timing.millis(1, NOON).orElseThrow()).isCloseTo(1000, tenth);
  }

  @Test
  void samples_older_than_an_hour_count_only_in_the_total() {
    timing.took(Duration.ofSeconds(5), NOON);
    timing.took(Duration.ofMillis(5), NOON.plus(Duration.ofMinutes(59)));
    assertThat(timing.countInLastHour(NOON.plus(Duration.ofMinutes(59)))).isEqualTo(2);
    assertThat(timing.countInLastHour(NOON.plus(Duration.ofMinutes(61)))).isEqualTo(1);
    assertThat(timing.millis(1, NOON.plus(Duration.ofMinutes(61))).orElseThrow())
        .isCloseTo(5, Percentage.withPercentage(10));
    assertThat(timing.millis(1, NOON.plus(Duration.ofHours(3)))).isEmpty();
    assertThat(total().getCount()).isEqualTo(2);
  }

  @Test
  void the_buckets_count_what_is_up_to_their_border() {
    timing.took(Duration.ofMillis(2), NOON);
    timing.took(Duration.ofMillis(3), NOON);
    timing.took(Duration.ofMinutes(2), NOON);
    timing.took(Duration.ofMillis(-7), NOON);
    assertThat(upTo(0.002)).isEqualTo(2);
    assertThat(upTo(30)).isEqualTo(3);
    assertThat(total().getCount()).isEqualTo(4);
    assertThat(total().getSum()).isCloseTo(120.005, within(1e-9));
  }
}
