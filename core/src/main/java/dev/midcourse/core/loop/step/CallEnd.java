package dev.midcourse.core.loop.step;

/** How a run of a loop ended. */
public sealed interface CallEnd {
  /** The agent came to its end. */
  record Answered(String text) implements CallEnd {}

  /** The run failed. */
  record Failed(String why) implements CallEnd {}

  /** Somebody stopped the run. */
  record Stopped() implements CallEnd {}
}
