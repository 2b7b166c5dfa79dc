package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger.Work;
import dev.midcourse.ledger.Tx;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller's work on its way through the writer, and what came of it. */
final class Piece<T extends @Nullable Object> {
  /** How the caller handed it in. */
  enum Manner {
    /** Like one that is waited for, before all that came otherwise. */
    FIRST,
    /** The same for a caller that goes on meanwhile. */
    FIRST_SOON,
    /** The caller does nothing else until it is told. */
    WAITED_FOR,
    SOON,
    /** Nobody waits for it: it may be gathered with others. */
    AT_LEISURE
  }

  private final Work<T> work;
  private final Manner manner;
  private final CompletableFuture<T> promise = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  Piece(Work<T> work, Manner manner) {
    this.work = work;
    this.manner = manner;
  }

  boolean first() {
    return manner == Manner.FIRST || manner == Manner.FIRST_SOON;
  }

  boolean urgent() {
    return manner != Manner.AT_LEISURE;
  }

  CompletableFuture<T> promise() {
    return promise;
  }

  /** Does the work; whatever it throws is kept for its caller. */
  void perform(Tx tx) {
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
   * Tells the caller. One that waits is only woken; others may have hung work of their own on the
   * promise, which is none of the writer's time.
   */
  void settle() {
    if (manner == Manner.FIRST || manner == Manner.WAITED_FOR) {
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
