package dev.midcourse.core;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Random trials that can be repeated: a trial that fails names its seed, and {@code
 * -Dmidcourse.seed=N} runs that trial alone.
 */
public final class Seeded {
  private static final String PROPERTY = "midcourse.seed";

  private Seeded() {}

  /** One trial; everything it leaves to chance comes from the generator. */
  @FunctionalInterface
  public interface Trial {
    void with(RandomGenerator random);
  }

  public static void trials(int count, Trial trial) {
    Long replay = Long.getLong(PROPERTY);
    if (replay != null) {
      one(replay, trial);
      return;
    }
    long first = System.nanoTime();
    for (int i = 0; i < count; i++) {
      one(first + i, trial);
    }
  }

  public static <T> T oneOf(RandomGenerator random, T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static void one(long seed, Trial trial) {
    try {
      trial.with(new SplittableRandom(seed));
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(
          "failed with seed " + seed + " (replay: -D" + PROPERTY + "=" + seed + "): " + failure,
          failure);
    }
  }
}
