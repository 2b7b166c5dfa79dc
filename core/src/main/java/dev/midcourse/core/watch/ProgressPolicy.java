package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which progress is worth a row now: a new phase at once, the same phase at most once per interval.
 * What has to wait is kept when its time has come.
 */
public record ProgressPolicy(Duration interval) {
  public static final ProgressPolicy DEFAULT = new ProgressPolicy(Duration.ofSeconds(5));

  public boolean lets(Optional<Progress> kept, Progress next) {
    if (kept.isEmpty() || !kept.get().phase().equals(next.phase())) {
      return true;
    }
    // A clock that went back must not silence a run until it has caught up.
    Duration since = Duration.between(kept.get().at(), next.at());
    return since.isNegative() || since.compareTo(interval) >= 0;
  }

  /** When something of the same phase is let through again. */
  public Instant opensAfter(Progress kept) {
    return kept.at().plus(interval);
  }
}
