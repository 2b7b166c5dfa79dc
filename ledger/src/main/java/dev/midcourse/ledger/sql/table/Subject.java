package dev.midcourse.ledger.sql.table;

import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;

/**
 * The thing that a change or a query concerns. A query about a subject must see all earlier changes
 * of the same subject in its transaction.
 */
public sealed interface Subject {
  /** A run with its attempts, turns, asks and steers. */
  record OfRun(RunId run) implements Subject {}

  record OfSteer(SteerId steer) implements Subject {}

  /** The steer that a group has stored under a key. */
  record OfKey(GroupName group, IdempotencyKey key) implements Subject {}

  /** The run that a group has dispatched under a key. */
  record OfDispatchKey(GroupName group, IdempotencyKey key) implements Subject {}

  record OfSetting(String name) implements Subject {}

  /** All schedules, and what became of their due times. */
  record OfSchedules() implements Subject {}

  /** All loops, their runs and their guidance. */
  record OfLoops() implements Subject {}

  /** A part of what is stored about chats. */
  enum OfChats implements Subject {
    /** People, identities, roles, link codes. */
    PEOPLE,
    /** Chats and wirings. */
    CHATS,
    CONVERSATIONS,
    MESSAGES,
    /** Which message belongs to which run, and where the answers of runs go. */
    CONNECTIONS,
    APPROVALS,
    OUTBOX,
    /** Questions of agents. */
    QUESTIONS
  }
}
