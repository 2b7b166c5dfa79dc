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
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.ledger.loop.LoopWriter;
import dev.midcourse.ledger.schedule.ScheduleWriter;
import java.time.Instant;
import java.util.Optional;

/** A transaction. Its reads see its own writes; all of its changes become durable, or none. */
public interface Transaction extends LedgerReader {
  /** The current state of the run, for a caller that has its spec already; saves reading it. */
  Optional<Run> run(RunId id, RunSpec spec);

  /** The run of a new steer and the earlier steer with the same key, in one query. */
  Optional<Addressed> addressed(RunId run, GroupName group, Optional<IdempotencyKey> key);

  /** Inserts or replaces the run. Its number of steers is not stored; readers count the rows. */
  void put(Run run);

  /** Inserts or replaces the steer. */
  void put(Steer steer);

  void put(Attempt attempt);

  /** Updates the output position and the memo of the attempt, and nothing else. */
  void storeOutput(Attempt attempt);

  void put(TurnRecord turn);

  void put(Ask ask);

  /** Stores the key of a dispatch; fails if the group has stored it before. */
  void put(DispatchKey key);

  /** Appends to the log; cursors grow in the order of commits. */
  void append(RunId run, Instant at, RunEvent event);

  void putSetting(String name, String value);

  /** The changes of people, chats, conversations, their messages and the outbox. */
  @Override
  ChatWriter chats();

  /** The changes of schedules. */
  @Override
  ScheduleWriter schedules();

  /** The changes of autopilot loops. */
  @Override
  LoopWriter loops();

  /**
   * The target of a steer.
   *
   * @param sameKey the steer of any run that the author's group has stored under the same key
   */
  record Addressed(Run run, Optional<Steer> sameKey) {}
}
