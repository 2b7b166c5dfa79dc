package dev.midcourse.engine.queue;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Transition;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.context.NotFoundErrors;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;

/** The end of a review as part of a transaction: the run is done, and its log has the verdict. */
public final class ReviewTransaction {
  private ReviewTransaction() {}

  /** Closes the run with this verdict. Refuses a run that does not wait for a review. */
  public static Run close(
      Transaction tx, RunId id, String verdict, String note, Author author, Instant now) {
    Run closed = closed(tx.run(id).orElseThrow(() -> NotFoundErrors.run(id)), now);
    tx.put(closed);
    tx.append(id, now, new RunEvent.RunReviewed(verdict, note, author));
    return closed;
  }

  /** The run as it is after its review. Refuses a run that does not wait for a review. */
  public static Run closed(Run run, Instant now) {
    return switch (RunTransitions.apply(run, new RunChange.ReviewAccepted(now))) {
      case Transition.Changed(Run closed) -> closed;
      case Transition.Rejected(Problem problem) -> throw problem.refused();
      case Transition.Stale(String why) -> throw new IllegalStateException(why);
    };
  }
}
