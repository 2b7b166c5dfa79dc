package dev.midcourse.core.steer;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a steer as every interface shows it: the rungs it reached, each with its time and
 * evidence, and its end. A receipt contains no rung without evidence.
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
    List<RungClaim> rungs,
    Optional<SteerEnd> ended,
    Optional<Instant> endedAt,
    Optional<String> carriedTo,
    Optional<String> reason,
    Optional<SteerId> supersedes,
    Optional<Instant> expiresAt) {

  public static Receipt of(Steer steer) {
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
        steer.rungs(),
        steer.ended().map(SteerEnding::how),
        steer.ended().map(SteerEnding::at),
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
