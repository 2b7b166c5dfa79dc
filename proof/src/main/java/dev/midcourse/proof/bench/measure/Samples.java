package dev.midcourse.proof.bench.measure;

import java.time.Duration;
import java.util.List;

/** Durations of repeated measurements; at least one. */
public record Samples(List<Duration> sorted) {
  public Samples {
    sorted = sorted.stream().sorted().toList();
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  /** Returns the union of these samples. */
  public static Samples together(List<Samples> all) {
    return new Samples(all.stream().flatMap(some -> some.sorted().stream()).toList());
  }

  /** Returns the value that the given share of the samples does not exceed, in milliseconds. */
  public double millis(double share) {
    int index = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.max(index, 0)).toNanos() / 1e6;
  }
}
