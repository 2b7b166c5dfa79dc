package dev.midcourse.hub.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The latencies of one stage: counted in the Prometheus histogram since the start, and as
 * percentiles of the last hour, which are at most a tenth too high. Safe for many threads; each
 * call is short.
 */
final class LatencyHistogram {
  private static final int MINUTES = 60;
  private static final int BINS_PER_DOUBLING = 8;
  private static final int BINS = 30 * BINS_PER_DOUBLING;
  private static final double MIN_SECONDS = 1e-6;

  private final DistributionDataPoint sinceStart;

  /** The counts of each minute by bin; guarded by this. */
  private final TreeMap<Long, int[]> minutes = new TreeMap<>();

  LatencyHistogram(DistributionDataPoint sinceStart) {
    this.sinceStart = sinceStart;
  }

  void took(Duration time, Instant now) {
    double seconds = Math.max(0, time.toNanos() / 1e9);
    sinceStart.observe(seconds);
    synchronized (this) {
      minute(now)[bin(seconds)]++;
    }
  }

  /** The milliseconds that this share of the last hour's did not exceed. */
  synchronized OptionalDouble millis(double share, Instant now) {
    long[] bins = lastHour(now);
    long all = Arrays.stream(bins).sum();
    if (all == 0) {
      return OptionalDouble.empty();
    }
    long rank = Math.max(1, (long) Math.ceil(share * all));
    int bin = 0;
    for (long seen = bins[0]; seen < rank; seen += bins[bin]) {
      bin++;
    }
    return OptionalDouble.of(upperSeconds(bin) * 1e3);
  }

  synchronized long countInLastHour(Instant now) {
    return Arrays.stream(lastHour(now)).sum();
  }

  private long[] lastHour(Instant now) {
    long[] bins = new long[BINS];
    for (int[] counts : minutes.tailMap(minuteNumber(now) - MINUTES, false).values()) {
      for (int bin = 0; bin < BINS; bin++) {
        bins[bin] += counts[bin];
      }
    }
    return bins;
  }

  private int[] minute(Instant now) {
    long number = minuteNumber(now);
    minutes.headMap(number - MINUTES, true).clear();
    return minutes.computeIfAbsent(number, _ -> new int[BINS]);
  }

  private static long minuteNumber(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), 60L);
  }

  private static int bin(double seconds) {
    double doublings = Math.log(seconds / MIN_SECONDS) / Math.log(2);
    return seconds <= MIN_SECONDS
        ? 0
        : Math.min(BINS - 1, (int) Math.ceil(doublings * BINS_PER_DOUBLING));
  }

  private static double upperSeconds(int bin) {
    return MIN_SECONDS * Math.pow(2, (double) bin / BINS_PER_DOUBLING);
  }
}
