package dev.midcourse.ledger;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import java.time.Instant;
import java.util.Optional;

/** A transaction: reads see its own writes, and all of it becomes durable or none. */
public interface Transaction extends LedgerReader {
  /** The run as it stands, for whoever knows what it is to do: that is not read again. */
  Optional<Run> run(RunId id, RunSpec spec);

  /** The run that a steer is for and the steer that came under its key before: one question. */
  Optional<Addressed> addressed(RunId run, GroupName group, Optional<IdempotencyKey> key);

  /** Inserts or replaces the run; how many steers it has is counted, not taken from it. */
  void put(Run run);

  /** Inserts or replaces the steer. */
  void put(Steer steer);

  void put(Attempt attempt);

  /** Keeps how far the attempt was heard, and nothing else of it. */
  void heard(Attempt attempt);

  void put(TurnRecord turn);

  void put(Ask ask);

  /** Stores the key of a dispatch; fails if the group has stored it before. */
  void put(DispatchKey key);

  /** Appends to the log; cursors grow in the order of commits. */
  void append(RunId run, Instant at, RunEvent event);

  void putSetting(String name, String value);

  /**
   * Where a steer goes.
   *
   * @param sameKey the steer of any run that the author's group has stored under the same key
   */
  record Addressed(Run run, Optional<Steer> sameKey) {}
}
