package dev.midcourse.channels;

/** Whether an earlier request has reached the platform. */
public sealed interface LookUpResult {

  /** The platform has this message. */
  record Found(String message) implements LookUpResult {}

  /** The platform certainly does not have it, so that it may be sent. */
  record Absent() implements LookUpResult {}

  /** It cannot be found out. */
  record NotKnown(String reason) implements LookUpResult {}
}
