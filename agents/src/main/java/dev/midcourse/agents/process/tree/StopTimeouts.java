package dev.midcourse.agents.process.tree;

import java.time.Duration;

/**
 * How long a program and its process tree have for each step of a stop. A step whose time-out is
 * zero is left out.
 *
 * @param ask after the program was asked over its own protocol, until TERM is sent
 * @param term after TERM, until KILL is sent
 * @param kill after KILL, until the stop fails and names the survivors
 */
public record StopTimeouts(Duration ask, Duration term, Duration kill) {
  private static final Duration DEFAULT_KILL = Duration.ofSeconds(5);

  /**
   * For a stop that a person waits for: about one second until a tree that ignores TERM is gone.
   */
  public static final StopTimeouts DEFAULT =
      new StopTimeouts(Duration.ofMillis(150), Duration.ofMillis(700), DEFAULT_KILL);

  /** KILL at once, for a program that nobody can talk to any more. */
  public static final StopTimeouts IMMEDIATE =
      new StopTimeouts(Duration.ZERO, Duration.ZERO, DEFAULT_KILL);

  public StopTimeouts {
    if (ask.isNegative() || term.isNegative() || kill.isNegative()) {
      throw new IllegalArgumentException("a time-out cannot be negative");
    }
  }

  /** The same for a program that cannot be asked. */
  public StopTimeouts withoutAsk() {
    return new StopTimeouts(Duration.ZERO, term, kill);
  }
}
