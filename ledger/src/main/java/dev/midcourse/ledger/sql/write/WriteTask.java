package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Ledger.TransactionBody;
import dev.midcourse.ledger.Transaction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A write that was handed in, and its result when the writer has run it. */
public final class WriteTask<T extends @Nullable Object> {
  private final TransactionBody<T> work;
  private final Priority priority;
  private final boolean callerBlocks;
  private final CompletableFuture<T> promise = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  public WriteTask(TransactionBody<T> work, Priority priority, boolean callerBlocks) {
    this.work = work;
    this.priority = priority;
    this.callerBlocks = callerBlocks;
  }

  Priority priority() {
    return priority;
  }

  public CompletableFuture<T> promise() {
    return promise;
  }

  /** Runs the work and keeps its result, or the exception that it throws, for the caller. */
  void perform(Transaction tx) {
    try {
      result = work.in(tx);
    } catch (Throwable thrown) {
      failure = thrown;
    }
  }

  boolean failed() {
    return failure != null;
  }

  void fail(Throwable why) {
    failure = why;
  }

  /**
   * Completes the promise. If the caller blocks, this thread completes it. Otherwise a new thread
   * does, because the caller may have attached long functions to the promise.
   */
  public void settle() {
    if (callerBlocks) {
      complete();
    } else {
      Thread.startVirtualThread(this::complete);
    }
  }

  @SuppressWarnings("NullAway") // the result is what the work returned, and null only if that was
  private void complete() {
    if (failure != null) {
      promise.completeExceptionally(failure);
    } else {
      promise.complete(result);
    }
  }
}
