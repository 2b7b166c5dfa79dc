package dev.midcourse.agents;

import java.util.Random;

/**
 * The seed of a test that draws its cases. It is printed when it is drawn, and {@code
 * -Dmidcourse.seed=N} has the same cases drawn again.
 */
public record Seed(long value) {

  public static Seed drawnFor(String what) {
    long value = Long.getLong("midcourse.seed", System.nanoTime() % 1_000_000_000);
    System.out.println(what + ", seed " + value);
    return new Seed(value);
  }

  public Random random() {
    return new Random(value);
  }

  @Override
  public String toString() {
    return "seed " + value;
  }
}
