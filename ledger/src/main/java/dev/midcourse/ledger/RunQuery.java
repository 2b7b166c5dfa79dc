package dev.midcourse.ledger;

import dev.midcourse.core.authority.Sight;
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
    Sight sight,
    Optional<RunId> olderThan,
    int limit) {
  public RunQuery {
    states = Set.copyOf(states);
  }

  public RunQuery(
      Set<RunState> states, Optional<WorkerName> worker, Optional<RunId> olderThan, int limit) {
    this(states, worker, new Sight.Everything(), olderThan, limit);
  }

  public static RunQuery newest(int limit) {
    return new RunQuery(Set.of(), Optional.empty(), Optional.empty(), limit);
  }

  public RunQuery in(Set<RunState> these) {
    return new RunQuery(these, worker, sight, olderThan, limit);
  }

  public RunQuery within(Sight its) {
    return new RunQuery(states, worker, its, olderThan, limit);
  }

  public RunQuery before(RunId newer) {
    return new RunQuery(states, worker, sight, Optional.of(newer), limit);
  }
}
