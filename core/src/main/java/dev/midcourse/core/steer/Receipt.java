package dev.midcourse.core.steer;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What became of a steer, as every door shows it: how far it provably got, with time and evidence
 * for each rung, and how it ended if it has. Claims nothing that was not proved.
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

  /** Whether a caller that waits for this rung need wait no longer. */
  public boolean settledAt(Rung wanted) {
    return ended.isPresent() || rung.compareTo(wanted) >= 0;
  }
}
