package dev.midcourse.ledger;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What is kept. State and event are written in one transaction, and an answer is given only when it
 * is durable. Many callers share a commit; each one's work succeeds or fails alone.
 */
public interface Ledger extends AutoCloseable {

  /**
   * Does the work in a transaction and returns when it is durable. What the work throws reaches the
   * caller and leaves nothing behind. A store that cannot write throws {@code RefusedException}
   * with code {@code UNAVAILABLE}, and nothing was changed.
   */
  <T> T write(Work<T> work);

  /**
   * Like {@link #write}, before all that was handed in otherwise and waits: for a person who waits,
   * when the order does not matter.
   */
  <T> T writeFirst(Work<T> work);

  /**
   * Like {@link #writeFirst}. As soon as the work is durable {@code then} is done, before the
   * caller is back and maybe by the one thread that writes: it must be short and wait for nobody.
   */
  <T, R> R writeFirst(Work<T> work, Function<T, R> then);

  /**
   * Like {@link #writeFirst}, without waiting. Works that go first are done in the order in which
   * one thread hands them in. The future completes when the work is durable.
   */
  <T> CompletableFuture<T> writeFirstLater(Work<T> work);

  /**
   * Like {@link #write}, without waiting. Works are done in the order in which one thread hands
   * them in. The future completes when the work is durable.
   */
  <T> CompletableFuture<T> writeLater(Work<T> work);

  /**
   * Like {@link #writeLater}, for what nobody waits for. A ledger that has just committed gathers
   * such works for a moment, unless one that is waited for comes and takes them along; so the disk
   * is free when it comes.
   */
  <T> CompletableFuture<T> writeAtLeisure(Work<T> work);

  /** Reads a consistent state without waiting for writers. */
  <T> T read(Look<T> look);

  /** Whether other hosts may write to the same store. */
  boolean shared();

  /** The log of everything that happened, by cursor. */
  Log log();

  /**
   * Deletes runs that ended before the time, with their steers, turns, attempts and events, and
   * events from before it that are about no run. Live runs are never touched. Returns how many runs
   * went.
   */
  int prune(Instant endedBefore);

  @Override
  void close();

  /** A piece of work inside a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T in(Tx tx);
  }

  /** A look at the state. */
  @FunctionalInterface
  interface Look<T> {
    T at(Reading reading);
  }
}
