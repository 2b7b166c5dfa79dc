package dev.midcourse.hub.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
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
    sinceStart.observe(seconds(time));
    tookBeforeStart(time, now);
  }

  /** Counts a latency of an earlier hub: only in the last hour. */
  synchronized void tookBeforeStart(Duration time, Instant at) {
    minute(at)[bin(seconds(time))]++;
  }

  /**
   * Writes the counts of the last hour as text: a line for each minute, with its number and with
   * {@code bin:count} for each bin that is not empty.
   */
  synchronized String write(Instant now) {
    StringBuilder text = new StringBuilder();
    minutes
        .tailMap(minuteNumber(now) - MINUTES, false)
        .forEach((number, counts) -> {
          text.append(number);
          for (int bin = 0; bin < BINS; bin++) {
            if (counts[bin] > 0) {
              text.append(' ').append(bin).append(':').append(counts[bin]);
            }
          }
          text.append('\n');
        });
    return text.toString();
  }

  /** Adds the counts that an earlier hub has written with {@link #write}. */
  synchronized void read(String text) {
    for (String line : text.lines().toList()) {
      List<String> words = List.of(line.split(" ", -1));
      int[] counts = minutes.computeIfAbsent(Long.valueOf(words.getFirst()), _ -> new int[BINS]);
      for (String word : words.subList(1, words.size())) {
        int colon = word.indexOf(':');
        counts[Integer.parseInt(word.substring(0, colon))] +=
            Integer.parseInt(word.substring(colon + 1));
      }
    }
  }

  private static double seconds(Duration time) {
    return Math.max(0, time.toNanos() / 1e9);
  }

  /** Returns the quantile of the last hour in milliseconds. */
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
