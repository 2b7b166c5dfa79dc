package dev.midcourse.core.steer;

import java.time.Duration;
import java.time.Instant;

/**
 * A rung in a receipt. Every interface shows these times and computes none of its own, so a receipt
 * has the same numbers everywhere.
 *
 * @param afterMs whole milliseconds since the steer was stored
 * @param attempt the attempt that reached it; 0 before the first attempt
 */
public record ReceiptRung(Rung rung, Instant at, long afterMs, int attempt, String evidence) {

  static ReceiptRung of(Steer.RungClaim claim, Instant storedAt) {
    return new ReceiptRung(
        claim.rung(),
        claim.at(),
        millisBetween(storedAt, claim.at()),
        claim.attempt(),
        claim.evidence());
  }

  /** A clock that went back gives 0, never a negative time. */
  static long millisBetween(Instant storedAt, Instant at) {
    return Math.max(0, Duration.between(storedAt, at).toMillis());
  }
}
