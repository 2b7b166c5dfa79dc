package dev.midcourse.engine.attempt;

import dev.midcourse.core.run.Run;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Commits the work of one supervisor without waiting for the ledger. A commit blocks while 1,024
 * events of earlier commits are not yet durable, so that one noisy agent cannot fill the write
 * queue of the ledger. A commit that fails is reported to the supervisor as a message.
 */
public final class BoundedCommitter {
  private static final int MAX_EVENTS_IN_FLIGHT = 1_024;

  /** The weight of a commit with few events: its rows cost the ledger something too. */
  private static final int MIN_WEIGHT = 16;

  private final SupervisorMailbox mailbox;
  private final Semaphore permits = new Semaphore(MAX_EVENTS_IN_FLIGHT);

  public BoundedCommitter(SupervisorMailbox mailbox) {
    this.mailbox = mailbox;
  }

  /**
   * Commits the pending changes, with low priority unless a caller waits for them.
   *
   * @param whenDurable called when the changes are durable; not called after a failure
   */
  public void commit(AttemptUnitOfWork unitOfWork, Runnable whenDurable) {
    if (!unitOfWork.isClean()) {
      commit(
          unitOfWork,
          unitOfWork.isAwaited() ? AttemptUnitOfWork::commitAsync : AttemptUnitOfWork::commitLazily,
          failure -> {
            if (failure.isEmpty()) {
              whenDurable.run();
            }
          });
    }
  }

  /**
   * Commits the pending changes with normal priority.
   *
   * @param then called when the changes are durable, or with the reason why they are not
   */
  public void commit(AttemptUnitOfWork unitOfWork, Consumer<Optional<RuntimeException>> then) {
    if (unitOfWork.isClean()) {
      then.accept(Optional.empty());
    } else {
      commit(unitOfWork, AttemptUnitOfWork::commitAsync, then);
    }
  }

  private void commit(
      AttemptUnitOfWork unitOfWork,
      Function<AttemptUnitOfWork, CompletableFuture<Run>> how,
      Consumer<Optional<RuntimeException>> then) {
    int weight = Math.clamp(unitOfWork.pendingEvents(), MIN_WEIGHT, MAX_EVENTS_IN_FLIGHT);
    permits.acquireUninterruptibly(weight);
    var _ =
        how.apply(unitOfWork)
            .whenComplete((_, error) -> {
              permits.release(weight);
              Optional<RuntimeException> failure =
                  Optional.ofNullable(error).map(BoundedCommitter::unwrap);
              failure.ifPresent(why -> mailbox.put(new SupervisorMessage.CommitFailed(why)));
              then.accept(failure);
            });
  }

  private static RuntimeException unwrap(Throwable error) {
    Throwable cause =
        error instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : error;
    return cause instanceof RuntimeException plain ? plain : new IllegalStateException(cause);
  }
}
