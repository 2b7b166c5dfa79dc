package dev.midcourse.core.loop.forge;

import java.time.Instant;

/** Why a forge did not do what it was asked. */
public sealed interface ForgeError {
  /** What the forge said, in one line. It has no secret. */
  String message();

  /** The credentials are wrong, expired or missing. */
  record Unauthorized(String message) implements ForgeError {}

  /** The credentials do not allow it. */
  record Forbidden(String message) implements ForgeError {}

  record NotFound(String message) implements ForgeError {}

  /** Too many requests. Nothing is sent to this forge before the time. */
  record Limited(String message, Instant until) implements ForgeError {}

  /** The state at the forge is another: the head has moved, the change is closed, it conflicts. */
  record Conflict(String message) implements ForgeError {}

  /** The forge understood the request and does not accept it. */
  record Invalid(String message) implements ForgeError {}

  /** The forge was not reached, failed, or gave an answer that cannot be read. */
  record Outage(String message) implements ForgeError {}
}
