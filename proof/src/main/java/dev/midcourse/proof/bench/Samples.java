package dev.midcourse.proof.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Durations of one thing measured many times. There is at least one. */
record Samples(List<Duration> sorted) {
  Samples {
    sorted = sorted.stream().sorted().toList();
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  /** The value that the given share of the samples does not exceed, in milliseconds. */
  double millis(double share) {
    int index = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.max(index, 0)).toNanos() / 1e6;
  }

  /** One line: how long it usually takes, and how long at worst. */
  void print(PrintStream out, String what) {
    out.printf(
        "  %-40s p50 %6.2f ms   p90 %6.2f ms   p99 %6.2f ms   max %6.2f ms%n",
        what, millis(0.5), millis(0.9), millis(0.99), millis(1));
  }
}
