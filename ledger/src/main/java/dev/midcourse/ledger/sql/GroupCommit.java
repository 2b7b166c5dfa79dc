package dev.midcourse.ledger.sql;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.ledger.Ledger.Work;
import dev.midcourse.ledger.Log.Logged;
import dev.midcourse.ledger.sql.Piece.Manner;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes. Whatever waits when it is free goes into one transaction and shares
 * its commit; each piece of work keeps or loses its own changes, and nobody is told before all of
 * it is durable. An idle ledger commits a single work at once; a busy one gathers what nobody waits
 * for until somebody does, or for {@link #GATHERING}.
 */
final class GroupCommit implements AutoCloseable {
  /** More than this waiting makes callers wait before they hand in. */
  private static final int MOST_WAITING = 65_536;

  private static final int MOST_TOGETHER = 1_024;
  private static final long LONGEST_NANOS = 20_000_000;

  /** After a commit, how long works are gathered that nobody waits for. */
  private static final Duration GATHERING = Duration.ofMillis(2);

  private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

  private final Dialect dialect;
  private final Tail tail;
  private final BlockingQueue<Piece<?>> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
  private final AtomicInteger urgent = new AtomicInteger();
  private final Piece<Boolean> end = new Piece<>(_ -> true, Manner.WAITED_FOR);
  private final Thread thread;
  private final AtomicLong commits = new AtomicLong();
  private volatile boolean closing;
  private volatile boolean finished;

  /** When the disk was last done with a commit. */
  private long free = System.nanoTime() - GATHERING.toNanos();

  /** The writer's connection; only its own thread touches it once that has started. */
  private @Nullable Statements connected;

  GroupCommit(Dialect dialect, Statements connected, Tail tail) {
    this.dialect = dialect;
    this.connected = connected;
    this.tail = tail;
    this.thread = Thread.ofPlatform().name("ledger-writer").daemon().unstarted(this::writeOn);
  }

  void start() {
    thread.start();
  }

  /** Hands in a work; its promise completes when it is durable. */
  <T> Piece<T> handIn(Work<T> work, Manner manner) {
    if (Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("a work may not write to the ledger except through its Tx");
    }
    if (closing) {
      throw Refusals.closed();
    }
    Piece<T> piece = new Piece<>(work, manner);
    enqueue(piece);
    if (finished) {
      refuseLeftovers();
    }
    return piece;
  }

  /** How many transactions have been committed. */
  long commits() {
    return commits.get();
  }

  /** Finishes what was handed in, then ends. */
  @Override
  public void close() {
    if (!closing) {
      closing = true;
      enqueue(end);
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void enqueue(Piece<?> piece) {
    if (piece.urgent()) {
      urgent.incrementAndGet();
    }
    boolean interrupted = false;
    while (true) {
      try {
        waiting.put(piece);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (piece.urgent()) {
      LockSupport.unpark(thread);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeOn() {
    boolean more = true;
    while (more) {
      try {
        Piece<?> first = waiting.take();
        gather(first);
        more = writeTogether(first);
      } catch (InterruptedException e) {
        LOG.log(System.Logger.Level.DEBUG, "nobody interrupts the writer; it goes on", e);
      }
    }
    disconnect();
    finished = true;
    refuseLeftovers();
  }

  /** Leaves the disk in peace while nobody waits for it. */
  private void gather(Piece<?> first) {
    long until = free + GATHERING.toNanos();
    for (long left = until - System.nanoTime();
        left > 0 && !first.urgent() && urgent.get() == 0;
        left = until - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /**
   * Whoever sees {@code finished} after handing in comes here too, so that nobody waits for ever.
   */
  private void refuseLeftovers() {
    for (Piece<?> left = waiting.poll(); left != null; left = waiting.poll()) {
      left.fail(Refusals.closed());
      left.settle();
    }
  }

  /** Writes this work and those that wait behind it; false when the end was among them. */
  private boolean writeTogether(Piece<?> first) {
    if (first == end) {
      return false;
    }
    Batch batch = new Batch();
    try {
      batch.write(first);
    } catch (Throwable refused) {
      batch.abandon(refused);
    }
    free = System.nanoTime();
    batch.settle();
    dialect.afterCommit(batch.pieces.size() + batch.entries.size());
    return !batch.last;
  }

  private Statements connect() throws SQLException {
    @Nullable Statements known = connected;
    if (known == null) {
      known = new Statements(dialect.connectToWrite(), dialect);
      connected = known;
    }
    return known;
  }

  private void disconnect() {
    @Nullable Statements known = connected;
    if (known != null) {
      known.close();
      connected = null;
    }
  }

  private enum Savepoint {
    NONE,
    /** Behind it is what a work has done. */
    USED,
    /** Behind it is nothing: the work was rolled back. */
    CLEAN
  }

  /** One transaction's worth of works. */
  private final class Batch {
    private final List<Piece<?>> pieces = new ArrayList<>();
    private final List<Logged> entries = new ArrayList<>();
    private final long until = System.nanoTime() + LONGEST_NANOS;
    private Savepoint savepoint = Savepoint.NONE;
    private long cursor;
    private boolean last;

    void write(Piece<?> first) {
      take(first);
      Statements on = begun();
      for (@Nullable Piece<?> piece = first; piece != null; piece = next()) {
        boolean alone = pieces.size() == 1 && waiting.isEmpty();
        perform(piece, on, alone);
        if (alone && piece.failed()) {
          on.update("ROLLBACK");
          return;
        }
      }
      EventTable.insert(on, entries);
      dialect.commit(on, cursor, !entries.isEmpty());
      commits.incrementAndGet();
      tail.publish(entries);
    }

    /** Nothing has been done yet, so a connection that died while idle is simply replaced. */
    private Statements begun() {
      Statements on = open();
      try {
        cursor = dialect.begin(on);
        return on;
      } catch (RuntimeException refused) {
        if (!on.failure().map(dialect::lost).orElse(false)) {
          throw refused;
        }
        disconnect();
        Statements another = open();
        cursor = dialect.begin(another);
        return another;
      }
    }

    private Statements open() {
      try {
        Statements on = connect();
        on.forget();
        return on;
      } catch (SQLException e) {
        throw dialect.refusal(e);
      }
    }

    private @Nullable Piece<?> next() {
      boolean full = pieces.size() >= MOST_TOGETHER || System.nanoTime() > until;
      @Nullable Piece<?> next = full ? null : waiting.poll();
      if (next == end) {
        last = true;
        return null;
      }
      if (next != null) {
        take(next);
      }
      return next;
    }

    private void take(Piece<?> piece) {
      pieces.add(piece);
      if (piece.urgent()) {
        urgent.decrementAndGet();
      }
    }

    /** Does one work behind a savepoint, unless it is alone in its transaction. */
    private void perform(Piece<?> piece, Statements on, boolean alone) {
      if (!alone) {
        save(on);
      }
      SqlTx tx = new SqlTx(on, cursor);
      piece.perform(tx);
      judge(piece, on.failure());
      if (!piece.failed()) {
        entries.addAll(tx.entries());
        cursor += tx.entries().size();
      } else if (!alone) {
        on.update("ROLLBACK TO SAVEPOINT work");
        savepoint = Savepoint.CLEAN;
      }
    }

    private void save(Statements on) {
      switch (savepoint) {
        case NONE -> on.update("SAVEPOINT work");
        case USED -> dialect.moveSavepoint(on);
        case CLEAN -> {}
      }
      savepoint = Savepoint.USED;
    }

    /**
     * A work whose statement failed has failed, even if it caught the error; and when the store
     * itself failed, so have its neighbours.
     */
    private void judge(Piece<?> piece, Optional<SQLException> failure) {
      if (failure.isEmpty()) {
        return;
      }
      RuntimeException refusal = dialect.refusal(failure.get());
      if (unavailable(refusal)) {
        throw refusal;
      }
      if (!piece.failed()) {
        piece.fail(refusal);
      }
    }

    private boolean unavailable(RuntimeException refusal) {
      return refusal instanceof RefusedException refused
          && refused.problem().code() == Code.UNAVAILABLE;
    }

    /** Nothing of the batch is kept, and everyone in it is told so. */
    void abandon(Throwable why) {
      for (Piece<?> piece : pieces) {
        piece.fail(why);
      }
      @Nullable Statements on = connected;
      if (on != null) {
        boolean lost = on.failure().map(dialect::lost).orElse(false);
        if (lost || !rolledBack(on)) {
          disconnect();
        }
      }
    }

    private boolean rolledBack(Statements on) {
      try {
        on.update("ROLLBACK");
        return true;
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.DEBUG, "could not roll back; the connection is dropped", e);
        return false;
      }
    }

    void settle() {
      for (Piece<?> piece : pieces) {
        piece.settle();
      }
    }
  }
}
