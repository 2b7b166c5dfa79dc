package dev.midcourse.channels;

import java.time.Duration;

/** What is known about a request to a platform. */
public sealed interface SendResult {

  /** The platform has carried it out. The id is that of the new or changed message. */
  record Sent(String message) implements SendResult {}

  /** The platform has not carried it out and may do so after this time. */
  record RetryAfter(Duration delay, String reason) implements SendResult {}

  /** The platform will never carry it out. */
  record Refused(String reason) implements SendResult {}

  /** The platform may or may not have carried it out. */
  record Unknown(String reason) implements SendResult {}
}
