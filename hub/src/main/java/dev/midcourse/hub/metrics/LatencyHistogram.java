package dev.midcourse.hub.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How long one thing took: counts in fixed buckets since the start, and percentiles of the last
 * hour, which are at most a tenth too high. Safe for many threads; each call is short.
 */
final class LatencyHistogram {
  /** Upper borders of the buckets in seconds, as Prometheus shows them. */
  static final List<Double> BORDERS =
      List.of(0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.03, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0);

  private static final int MINUTES = 60;
  private static final int BINS_PER_DOUBLING = 8;
  private static final int BINS = 30 * BINS_PER_DOUBLING;
  private static final double MIN_SECONDS = 1e-6;

  private final long[] buckets = new long[BORDERS.size()];
  private final TreeMap<Long, int[]> minutes = new TreeMap<>();
  private long count;
  private double sum;

  /** What was counted so far. */
  record Total(List<Long> upToBorder, long count, double sumSeconds) {
    Total {
      upToBorder = List.copyOf(upToBorder);
    }
  }

  synchronized void took(Duration time, Instant now) {
    double seconds = Math.max(0, time.toNanos() / 1e9);
    count++;
    sum += seconds;
    for (int i = 0; i < buckets.length; i++) {
      if (seconds <= BORDERS.get(i)) {
        buckets[i]++;
      }
    }
    minute(now)[bin(seconds)]++;
  }

  synchronized Total total() {
    return new Total(Arrays.stream(buckets).boxed().toList(), count, sum);
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
