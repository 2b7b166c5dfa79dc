package dev.midcourse.ledger;

import dev.midcourse.core.authority.VisibleRuns;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunState;
import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list: in these states (empty: all), of this worker, of those that somebody may look
 * at, older than this run (for the next page), at most so many.
 */
public record RunQuery(
    Set<RunState> states,
    Optional<WorkerName> worker,
    VisibleRuns visibleRuns,
    Optional<RunId> olderThan,
    int limit) {
  public RunQuery {
    states = Set.copyOf(states);
  }

  public RunQuery(
      Set<RunState> states, Optional<WorkerName> worker, Optional<RunId> olderThan, int limit) {
    this(states, worker, new VisibleRuns.Everything(), olderThan, limit);
  }

  public static RunQuery newest(int limit) {
    return new RunQuery(Set.of(), Optional.empty(), Optional.empty(), limit);
  }

  public RunQuery in(Set<RunState> these) {
    return new RunQuery(these, worker, visibleRuns, olderThan, limit);
  }

  public RunQuery within(VisibleRuns its) {
    return new RunQuery(states, worker, its, olderThan, limit);
  }

  public RunQuery before(RunId newer) {
    return new RunQuery(states, worker, visibleRuns, Optional.of(newer), limit);
  }
}
