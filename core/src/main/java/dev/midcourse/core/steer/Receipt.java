package dev.midcourse.core.steer;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Steer.SteerEnding;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a steer as every interface shows it: the rungs it reached, each with its time and
 * evidence, and its end. A receipt contains no rung without evidence.
 *
 * @param endedAfterMs whole milliseconds from stored to the end
 */
public record Receipt(
    SteerId steerId,
    RunId runId,
    long seq,
    int attempt,
    SteerMode mode,
    Optional<SteerMode> deliveredMode,
    Author author,
    String text,
    int edits,
    Rung rung,
    List<ReceiptRung> rungs,
    Optional<SteerEnd> ended,
    Optional<Instant> endedAt,
    Optional<Long> endedAfterMs,
    Optional<String> carriedTo,
    Optional<String> reason,
    Optional<SteerId> supersedes,
    Optional<Instant> expiresAt) {

  public static Receipt of(Steer steer) {
    Instant storedAt = steer.storedAt();
    return new Receipt(
        steer.id(),
        steer.run(),
        steer.seq(),
        steer.lastAttempt(),
        steer.mode(),
        steer.deliveredMode(),
        steer.author(),
        steer.text().value(),
        steer.edits(),
        steer.rung(),
        steer.rungs().stream().map(claim -> ReceiptRung.of(claim, storedAt)).toList(),
        steer.ended().map(SteerEnding::how),
        steer.ended().map(SteerEnding::at),
        steer.ended().map(ending -> ReceiptRung.millisBetween(storedAt, ending.at())),
        steer.carriedTo(),
        steer.ended().map(SteerEnding::reason),
        steer.supersedes(),
        steer.expiresAt());
  }

  /** Whether the steer has reached this rung or has ended. */
  public boolean settledAt(Rung wanted) {
    return ended.isPresent() || rung.compareTo(wanted) >= 0;
  }
}
