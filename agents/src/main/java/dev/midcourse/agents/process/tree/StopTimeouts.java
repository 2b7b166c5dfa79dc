package dev.midcourse.agents.process.tree;

import java.time.Duration;

/**
 * The time limits of each step of a stop of a program and its process tree. A step whose time-out
 * is zero is left out.
 *
 * @param ask after the program was asked over its own protocol, until TERM is sent
 * @param term after TERM, until KILL is sent
 * @param kill after KILL, until the stop fails and names the survivors
 */
public record StopTimeouts(Duration ask, Duration term, Duration kill) {
  private static final Duration DEFAULT_KILL = Duration.ofSeconds(5);

  /**
   * For a stop that a person waits for. A tree that ignores TERM is gone after about one second.
   */
  public static final StopTimeouts DEFAULT =
      new StopTimeouts(Duration.ofMillis(150), Duration.ofMillis(700), DEFAULT_KILL);

  /** Sends KILL at once, for a program that cannot be reached over its protocol. */
  public static final StopTimeouts IMMEDIATE =
      new StopTimeouts(Duration.ZERO, Duration.ZERO, DEFAULT_KILL);

  public StopTimeouts {
    if (ask.isNegative() || term.isNegative() || kill.isNegative()) {
      throw new IllegalArgumentException("a time-out cannot be negative");
    }
  }

  /** Returns the same time-outs without the ask step. */
  public StopTimeouts withoutAsk() {
    return new StopTimeouts(Duration.ZERO, term, kill);
  }
}
