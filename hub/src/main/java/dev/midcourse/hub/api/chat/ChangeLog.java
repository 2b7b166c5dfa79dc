package dev.midcourse.hub.api.chat;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;

/** Records each change of people and chats in the log, in the transaction that makes the change. */
final class ChangeLog {
  /** The run id of entries that concern no run. */
  private static final RunId NO_RUN = RunId.of("none");

  private ChangeLog() {}

  /**
   * Appends an entry.
   *
   * @param what a verb in the past and its object: {@code added person ada}
   */
  static void append(Transaction tx, Instant now, Caller caller, String what) {
    Author author = caller.author();
    tx.append(
        NO_RUN, now, new RunEvent.Noted(author.group() + " via " + author.origin() + " " + what));
  }
}
