package dev.midcourse.agents.process;

import java.time.Duration;

/**
 * How long each step of ending a tree may take: after it was asked, after TERM, and under KILL
 * until we give up and name the survivors.
 */
public record Grace(Duration ask, Duration term, Duration kill) {

  public Grace {
    if (ask.isNegative() || term.isNegative() || kill.isNegative()) {
      throw new IllegalArgumentException("grace cannot be negative");
    }
  }

  /** What a person who pressed stop will wait for. */
  public static Grace usual() {
    return new Grace(Duration.ofMillis(150), Duration.ofMillis(400), Duration.ofSeconds(5));
  }

  /** No asking, no waiting. */
  public static Grace none() {
    return new Grace(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(5));
  }
}
