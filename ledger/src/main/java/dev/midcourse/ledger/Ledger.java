package dev.midcourse.ledger;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The store of runs, steers and the log. A write changes state and appends events in one
 * transaction, and its caller gets an answer only when both are durable. Many writes share a
 * commit; each one succeeds or fails alone.
 */
public interface Ledger extends AutoCloseable {

  /** Writes with {@link Priority#NORMAL} and blocks until the changes are durable. */
  default <T> T write(TransactionBody<T> work) {
    return write(Priority.NORMAL, work);
  }

  /**
   * Runs the work in a transaction and blocks until the changes are durable. An exception of the
   * work reaches the caller, and its changes are rolled back. If the store cannot write, this
   * method throws {@code RefusedException} with code {@code UNAVAILABLE}, and nothing is changed.
   */
  default <T> T write(Priority priority, TransactionBody<T> work) {
    return write(priority, work, Function.identity());
  }

  /**
   * Like {@link #write(Priority, TransactionBody)}, and calls {@code onCommit} with the result as
   * soon as the changes are durable, before the caller continues. The writer thread may make this
   * call, so {@code onCommit} must be short and must not block.
   */
  <T, R> R write(Priority priority, TransactionBody<T> work, Function<T, R> onCommit);

  /**
   * Queues the work and returns at once. The future completes when the changes are durable; it
   * fails with the exception that {@link #write(Priority, TransactionBody)} would throw. Writes of
   * one priority run in the order in which one thread hands them in.
   */
  <T> CompletableFuture<T> writeAsync(Priority priority, TransactionBody<T> work);

  /** Reads a consistent state without waiting for writers. */
  <T> T read(Query<T> look);

  /** Whether other hosts may write to the same store. */
  boolean shared();

  /**
   * Takes a lock between all processes that share this store, if nobody holds it. It is held until
   * it is closed or the process ends, without a timer.
   */
  Optional<StoreLock> tryLock(String name);

  /** The log of all events, by cursor. */
  Log log();

  /**
   * Deletes runs that ended before the time, with their steers, turns, attempts and events. Also
   * deletes older events that belong to no run, and older chat messages that were stored or sent.
   * Live runs are never deleted. Returns the number of deleted runs.
   */
  int prune(Instant endedBefore);

  @Override
  void close();

  /** The place of a write in the ledger's queue. */
  enum Priority {
    /** Goes before all waiting writes of the other priorities; for a person who waits. */
    STEER,

    /** Is committed as soon as the writer is free. */
    NORMAL,

    /**
     * May wait up to 2 ms after a commit, so that several lazy writes share the next commit and the
     * disk is free when another write arrives. A NORMAL write takes the lazy writes before it
     * along, so writes of both priorities keep the order in which one thread hands them in.
     */
    LAZY
  }

  /** The code that runs inside a transaction. It must not block on anything but the store. */
  @FunctionalInterface
  interface TransactionBody<T> {
    T in(Transaction tx);
  }

  /** The code that reads one consistent state. */
  @FunctionalInterface
  interface Query<T> {
    T at(LedgerReader reading);
  }
}
