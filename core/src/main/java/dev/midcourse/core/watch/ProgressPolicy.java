package dev.midcourse.core.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Limits the rows of progress: a new phase is stored at once, the same phase at most once per
 * interval. Progress that has to wait is stored at the end of the interval.
 */
public record ProgressPolicy(Duration interval) {
  public static final ProgressPolicy DEFAULT = new ProgressPolicy(Duration.ofSeconds(5));

  public boolean allows(Optional<Progress> kept, Progress next) {
    if (kept.isEmpty() || !kept.get().phase().equals(next.phase())) {
      return true;
    }
    // A clock that went back must not silence a run until it has caught up.
    Duration since = Duration.between(kept.get().at(), next.at());
    return since.isNegative() || since.compareTo(interval) >= 0;
  }

  /** The time from which progress of the same phase is stored again. */
  public Instant opensAfter(Progress kept) {
    return kept.at().plus(interval);
  }
}
