package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Ledger.TransactionBody;
import dev.midcourse.ledger.Log.LogEntry;
import dev.midcourse.ledger.sql.jdbc.Dialect;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import dev.midcourse.ledger.sql.jdbc.StoreErrors;
import dev.midcourse.ledger.sql.log.LogTailCache;
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
 * for until somebody does, or for {@link #GATHERING}, or until it is {@link #MAX_AT_LEISURE}.
 */
public final class GroupCommit implements AutoCloseable {
  private static final int MAX_TOGETHER = 1_024;

  /** Of works that nobody waits for: whoever comes meanwhile waits for a small commit only. */
  public static final int MAX_AT_LEISURE = 16;

  private static final long MAX_NANOS = 20_000_000;

  /** After a commit, how long works are gathered that nobody waits for. */
  private static final Duration GATHERING = Duration.ofMillis(2);

  private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

  private final Dialect dialect;
  private final WriterConnection line;
  private final LogTailCache tail;
  private final WriteQueue waiting = new WriteQueue();
  private final WriteTask<Boolean> end = new WriteTask<>(_ -> true, Priority.NORMAL, true);
  private final Thread thread;
  private final AtomicLong commits = new AtomicLong();
  private volatile boolean closing;
  private volatile boolean finished;

  /** When the disk was last done with a commit. */
  private long free = System.nanoTime() - GATHERING.toNanos();

  /** Whether the writer has come to the end. */
  private boolean ended;

  public GroupCommit(Dialect dialect, SqlSession connected, LogTailCache tail) {
    this.dialect = dialect;
    this.line = new WriterConnection(dialect, connected);
    this.tail = tail;
    this.thread = Thread.ofPlatform().name("ledger-writer").daemon().unstarted(this::writeOn);
  }

  public void start() {
    thread.start();
  }

  /** Queues a work; the future completes when its changes are durable. */
  public <T> CompletableFuture<T> submit(Priority priority, TransactionBody<T> work) {
    return submit(new WriteTask<>(work, priority, false));
  }

  /**
   * Like {@link #submit}, for a caller that blocks on the future; short functions may follow it.
   */
  public <T> CompletableFuture<T> submitBlocking(Priority priority, TransactionBody<T> work) {
    return submit(new WriteTask<>(work, priority, true));
  }

  private <T> CompletableFuture<T> submit(WriteTask<T> task) {
    if (Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("a work may not write to the ledger except through its Tx");
    }
    if (closing) {
      throw StoreErrors.closed();
    }
    waiting.put(task);
    if (finished) {
      refuseLeftovers();
    }
    return task.promise();
  }

  /** How many transactions have been written. */
  public long commits() {
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
        WriteTask<?> first = waiting.take(free + GATHERING.toNanos());
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
    for (WriteTask<?> left = waiting.poll(); left != null; left = waiting.poll()) {
      left.fail(StoreErrors.closed());
      left.settle();
    }
  }

  /** Writes this work and those that wait behind it, and tells everybody what came of it. */
  private void writeTogether(WriteTask<?> first) {
    List<WriteTask<?>> together = new ArrayList<>();
    List<LogEntry> entries = List.of();
    boolean news = false;
    try {
      entries = committed(first, together);
      news = tail.take(entries);
    } catch (Throwable refused) {
      together.forEach(task -> task.fail(refused));
      line.abandon();
    }
    free = System.nanoTime();
    together.forEach(WriteTask::settle); // before those who only listen: they can wait a little
    if (news) {
      tail.tell(entries);
    }
    dialect.afterCommit(together.size() + entries.size());
  }

  /**
   * Makes the works durable that wait now, and returns what they told the log. When somebody waits
   * for one that is aboard, those that nobody waits for stay behind, unless they did so too long.
   */
  private List<LogEntry> committed(WriteTask<?> first, List<WriteTask<?>> together) {
    long until = System.nanoTime() + MAX_NANOS;
    together.add(first);
    WriteBatch batch = new WriteBatch(dialect, line.begin());
    batch.perform(first);
    for (int overdue = waiting.overdue(); !ended && overdue > 0; overdue--) {
      perform(waiting.nextOther(), together, batch);
    }
    while (!ended
        && together.size() < (batch.awaited() ? MAX_TOGETHER : MAX_AT_LEISURE)
        && System.nanoTime() <= until) {
      @Nullable WriteTask<?> next = batch.awaited() ? waiting.pollUrgent() : waiting.poll();
      if (next == null) {
        break;
      }
      perform(next, together, batch);
    }
    List<LogEntry> entries = batch.commit();
    commits.incrementAndGet();
    return entries;
  }

  private void perform(WriteTask<?> task, List<WriteTask<?>> together, WriteBatch batch) {
    ended = task == end;
    if (!ended) {
      together.add(task);
      batch.perform(task);
    }
  }
}
