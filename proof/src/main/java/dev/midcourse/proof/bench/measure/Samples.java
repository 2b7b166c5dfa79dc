package dev.midcourse.proof.bench.measure;

import java.time.Duration;
import java.util.List;

/** Durations of one thing measured many times. There is at least one. */
public record Samples(List<Duration> sorted) {
  public Samples {
    sorted = sorted.stream().sorted().toList();
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  /** All of them as one. */
  public static Samples together(List<Samples> all) {
    return new Samples(all.stream().flatMap(some -> some.sorted().stream()).toList());
  }

  /** The value that the given share of the samples does not exceed, in milliseconds. */
  public double millis(double share) {
    int index = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.max(index, 0)).toNanos() / 1e6;
  }
}
