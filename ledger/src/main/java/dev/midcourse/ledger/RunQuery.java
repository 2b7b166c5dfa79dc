package dev.midcourse.ledger;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunState;
import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list: in these states (empty: all), of this worker, older than this run (for the
 * next page), at most so many.
 */
public record RunQuery(
    Set<RunState> states, Optional<WorkerName> worker, Optional<RunId> olderThan, int limit) {
  public RunQuery {
    states = Set.copyOf(states);
  }

  public static RunQuery newest(int limit) {
    return new RunQuery(Set.of(), Optional.empty(), Optional.empty(), limit);
  }
}
