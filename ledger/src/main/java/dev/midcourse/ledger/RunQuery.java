package dev.midcourse.ledger;

import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunState;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Selects runs for a list: in one of the states (empty: all), of the worker, visible to the caller,
 * older than a run (for the next page), at most {@code limit}. With {@code needingSince}, only runs
 * that need attention; of those that failed, only the ones that ended since that time.
 */
public record RunQuery(
    Set<RunState> states,
    Optional<WorkerName> worker,
    VisibleRuns visibleRuns,
    Optional<RunId> olderThan,
    Optional<Instant> needingSince,
    int limit) {
  public RunQuery {
    states = Set.copyOf(states);
  }

  public RunQuery(
      Set<RunState> states, Optional<WorkerName> worker, Optional<RunId> olderThan, int limit) {
    this(states, worker, new VisibleRuns.Everything(), olderThan, Optional.empty(), limit);
  }

  public static RunQuery newest(int limit) {
    return new RunQuery(Set.of(), Optional.empty(), Optional.empty(), limit);
  }

  public RunQuery in(Set<RunState> these) {
    return new RunQuery(these, worker, visibleRuns, olderThan, needingSince, limit);
  }

  public RunQuery within(VisibleRuns its) {
    return new RunQuery(states, worker, its, olderThan, needingSince, limit);
  }

  public RunQuery before(RunId newer) {
    return new RunQuery(states, worker, visibleRuns, Optional.of(newer), needingSince, limit);
  }

  public RunQuery needingSince(Instant time) {
    return new RunQuery(states, worker, visibleRuns, olderThan, Optional.of(time), limit);
  }

  public RunQuery withLimit(int other) {
    return new RunQuery(states, worker, visibleRuns, olderThan, needingSince, other);
  }
}
