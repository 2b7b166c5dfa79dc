package dev.midcourse.engine.schedule;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.schedule.ScheduleTarget;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.Optional;

/** Lets the prompt of a schedule enter a conversation like a message. */
@FunctionalInterface
public interface ConversationEntry {
  /** Prepares the entry of one prompt, outside of a transaction: looking for agents takes time. */
  PreparedEntry prepare(ScheduleTarget.OfConversation target);

  /** The entry of one prompt. */
  interface PreparedEntry {
    /**
     * Part of the transaction that carries a due time out. Returns the run that it started or
     * steered.
     */
    Optional<RunId> enter(Transaction tx, String prompt, Author author, Instant now);

    /** Is called after the commit of the transaction. */
    void committed();
  }

  /** For a hub without conversations: refuses each prompt. */
  static ConversationEntry none() {
    return _ -> {
      throw Problem.of(
              Code.UNSUPPORTED,
              "conversation",
              "a hub with conversations",
              "this hub has no conversations")
          .refused();
    };
  }
}
