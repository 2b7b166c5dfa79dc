package dev.midcourse.ledger;

import dev.midcourse.core.authority.Sight;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunState;
import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list: in these states (empty: all), of this worker, of those that somebody may look
 * at, at work in this folder, older than this run (for the next page), at most so many.
 */
public record RunQuery(
    Set<RunState> states,
    Optional<WorkerName> worker,
    Sight sight,
    Optional<String> workspace,
    Optional<RunId> olderThan,
    int limit) {
  public RunQuery {
    states = Set.copyOf(states);
  }

  public RunQuery(
      Set<RunState> states, Optional<WorkerName> worker, Optional<RunId> olderThan, int limit) {
    this(states, worker, new Sight.Everything(), Optional.empty(), olderThan, limit);
  }

  public static RunQuery newest(int limit) {
    return new RunQuery(Set.of(), Optional.empty(), Optional.empty(), limit);
  }

  public RunQuery in(Set<RunState> these) {
    return new RunQuery(these, worker, sight, workspace, olderThan, limit);
  }

  public RunQuery within(Sight its) {
    return new RunQuery(states, worker, its, workspace, olderThan, limit);
  }

  public RunQuery at(String folder) {
    return new RunQuery(states, worker, sight, Optional.of(folder), olderThan, limit);
  }

  public RunQuery before(RunId newer) {
    return new RunQuery(states, worker, sight, workspace, Optional.of(newer), limit);
  }
}
