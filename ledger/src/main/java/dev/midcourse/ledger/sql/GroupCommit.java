package dev.midcourse.ledger.sql;

import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Ledger.Work;
import dev.midcourse.ledger.Log.Logged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes. Whatever waits when it is free goes into one transaction and shares
 * its commit; each piece of work keeps or loses its own changes, and nobody is told before all of
 * it is durable. An idle ledger commits a single work at once; a busy one gathers what nobody waits
 * for until somebody does, or for {@link #GATHERING}, or until it is {@link #MOST_AT_LEISURE}.
 */
final class GroupCommit implements AutoCloseable {
  private static final int MOST_TOGETHER = 1_024;

  /** Of works that nobody waits for: whoever comes meanwhile waits for a small commit only. */
  static final int MOST_AT_LEISURE = 16;

  private static final long LONGEST_NANOS = 20_000_000;

  /** After a commit, how long works are gathered that nobody waits for. */
  private static final Duration GATHERING = Duration.ofMillis(2);

  private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

  private final Dialect dialect;
  private final WritersLine line;
  private final Tail tail;
  private final WaitingRoom waiting = new WaitingRoom();
  private final Piece<Boolean> end = new Piece<>(_ -> true, Priority.NORMAL, true);
  private final Thread thread;
  private final AtomicLong commits = new AtomicLong();
  private volatile boolean closing;
  private volatile boolean finished;

  /** When the disk was last done with a commit. */
  private long free = System.nanoTime() - GATHERING.toNanos();

  /** Whether the writer has come to the end. */
  private boolean ended;

  GroupCommit(Dialect dialect, Statements connected, Tail tail) {
    this.dialect = dialect;
    this.line = new WritersLine(dialect, connected);
    this.tail = tail;
    this.thread = Thread.ofPlatform().name("ledger-writer").daemon().unstarted(this::writeOn);
  }

  void start() {
    thread.start();
  }

  /** Queues a work; the future completes when its changes are durable. */
  <T> CompletableFuture<T> submit(Priority priority, Work<T> work) {
    return submit(new Piece<>(work, priority, false));
  }

  /**
   * Like {@link #submit}, for a caller that blocks on the future; short functions may follow it.
   */
  <T> CompletableFuture<T> submitBlocking(Priority priority, Work<T> work) {
    return submit(new Piece<>(work, priority, true));
  }

  private <T> CompletableFuture<T> submit(Piece<T> piece) {
    if (Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("a work may not write to the ledger except through its Tx");
    }
    if (closing) {
      throw Refusals.closed();
    }
    waiting.put(piece);
    if (finished) {
      refuseLeftovers();
    }
    return piece.promise();
  }

  /** How many transactions have been written. */
  long commits() {
    return commits.get();
  }

  /** Finishes what was handed in, then ends. */
  @Override
  public void close() {
    if (!closing) {
      closing = true;
      waiting.put(end);
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

  private void writeOn() {
    while (!ended) {
      try {
        Piece<?> first = waiting.take(free + GATHERING.toNanos());
        ended = first == end;
        if (!ended) {
          writeTogether(first);
        }
      } catch (InterruptedException e) {
        LOG.log(System.Logger.Level.DEBUG, "nobody interrupts the writer; it goes on", e);
      }
    }
    line.close();
    finished = true;
    refuseLeftovers();
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

  /** Writes this work and those that wait behind it, and tells everybody what came of it. */
  private void writeTogether(Piece<?> first) {
    List<Piece<?>> together = new ArrayList<>();
    List<Logged> entries = List.of();
    boolean news = false;
    try {
      entries = committed(first, together);
      news = tail.take(entries);
    } catch (Throwable refused) {
      together.forEach(piece -> piece.fail(refused));
      line.abandon();
    }
    free = System.nanoTime();
    together.forEach(Piece::settle); // before those who only listen: they can wait a little
    if (news) {
      tail.tell(entries);
    }
    dialect.afterCommit(together.size() + entries.size());
  }

  /**
   * Makes the works durable that wait now, and returns what they told the log. When somebody waits
   * for one that is aboard, those that nobody waits for stay behind, unless they did so too long.
   */
  private List<Logged> committed(Piece<?> first, List<Piece<?>> together) {
    long until = System.nanoTime() + LONGEST_NANOS;
    together.add(first);
    Batch batch = new Batch(dialect, line.begin());
    batch.perform(first);
    for (int overdue = waiting.overdue(); !ended && overdue > 0; overdue--) {
      perform(waiting.nextOther(), together, batch);
    }
    while (!ended
        && together.size() < (batch.awaited() ? MOST_TOGETHER : MOST_AT_LEISURE)
        && System.nanoTime() <= until) {
      @Nullable Piece<?> next = batch.awaited() ? waiting.pollUrgent() : waiting.poll();
      if (next == null) {
        break;
      }
      perform(next, together, batch);
    }
    List<Logged> entries = batch.commit();
    commits.incrementAndGet();
    return entries;
  }

  private void perform(Piece<?> piece, List<Piece<?>> together, Batch batch) {
    ended = piece == end;
    if (!ended) {
      together.add(piece);
      batch.perform(piece);
    }
  }
}
