package dev.midcourse.proof.chat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** What goes wrong with one request to a {@link ScriptedPlatform}. */
public sealed interface PlatformFault {

  /** The platform holds the request until the gate is open, then carries it out. */
  record Slow(CountDownLatch gate) implements PlatformFault {}

  /** The platform carries the request out, and its answer is lost. */
  record LostAnswer() implements PlatformFault {}

  /** The request is lost before the platform gets it; the caller cannot know that. */
  record LostRequest() implements PlatformFault {}

  /** The platform refuses the request for good. */
  record Refusal(String reason) implements PlatformFault {}

  /** The platform asks the caller to come later. */
  record RateLimit(Duration delay) implements PlatformFault {}

  /** The channel throws. */
  record Failure() implements PlatformFault {}

  /**
   * The process of the caller ends: the call never returns.
   *
   * @param carriedOut whether the platform has carried it out
   */
  record Crash(boolean carriedOut) implements PlatformFault {}
}
