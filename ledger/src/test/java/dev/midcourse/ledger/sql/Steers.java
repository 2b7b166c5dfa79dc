package dev.midcourse.ledger.sql;

import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Steer;
import java.util.Optional;

/** A steer like another, but for its identity. */
record Steers(Steer of, SteerId id, long seq, Author author, Optional<IdempotencyKey> key) {
  static Steers like(Steer of) {
    return new Steers(of, of.id(), of.seq(), of.author(), of.key());
  }

  Steers id(SteerId other) {
    return new Steers(of, other, seq, author, key);
  }

  Steers seq(long other) {
    return new Steers(of, id, other, author, key);
  }

  Steers author(Author other) {
    return new Steers(of, id, seq, other, key);
  }

  Steers key(IdempotencyKey other) {
    return new Steers(of, id, seq, author, Optional.of(other));
  }

  Steer steer() {
    return new Steer(
        id,
        of.run(),
        seq,
        author,
        of.mode(),
        of.deliveredMode(),
        of.onUnsupported(),
        of.text(),
        of.edits(),
        key,
        of.keyedContent(),
        of.expectedTurn(),
        of.expiresAt(),
        of.supersedes(),
        of.holder(),
        of.rungs(),
        of.carriedTo(),
        of.ended());
  }
}
