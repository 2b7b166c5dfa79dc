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
 * The writer thread of the ledger. All tasks that wait when the thread is free go into one
 * transaction and share its commit. Each task keeps or loses its own changes, and no caller gets an
 * answer before the commit is durable. An idle ledger commits a single task at once. A busy one
 * collects lazy tasks until another task arrives, or for {@link #LAZY_DELAY}, or until there are
 * {@link #MAX_LAZY_TASKS}.
 */
public final class GroupCommit implements AutoCloseable {
  private static final int MAX_TASKS = 1_024;

  /** The size of a lazy transaction. It is small, because a new steer may have to wait for it. */
  public static final int MAX_LAZY_TASKS = 16;

  /** A transaction takes no more tasks after this time. */
  private static final long MAX_FILL_NANOS = 20_000_000;

  /** Lazy tasks wait so long after a commit, unless another task arrives. */
  private static final Duration LAZY_DELAY = Duration.ofMillis(2);

  private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

  private final Dialect dialect;
  private final WriterConnection line;
  private final LogTailCache tail;
  private final WriteQueue queue = new WriteQueue(System::nanoTime);

  /** The last task; the writer ends when it takes this task. */
  private final WriteTask<Boolean> end = new WriteTask<>(_ -> true, Priority.NORMAL, true);

  private final Thread thread;
  private final AtomicLong commits = new AtomicLong();
  private volatile boolean closing;
  private volatile boolean finished;

  /** The time when the last commit was done. */
  private long committedAt = System.nanoTime() - LAZY_DELAY.toNanos();

  /** Whether the writer has taken the last task. */
  private boolean ended;

  public GroupCommit(Dialect dialect, SqlSession connected, LogTailCache tail) {
    this.dialect = dialect;
    this.line = new WriterConnection(dialect, connected);
    this.tail = tail;
    this.thread = Thread.ofPlatform().name("ledger-writer").daemon().unstarted(this::runLoop);
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
      throw new IllegalStateException(
          "a transaction must write through its Tx; a write to the ledger would block for ever");
    }
    if (closing) {
      throw StoreErrors.closed();
    }
    queue.put(task);
    if (finished) {
      refuseQueued();
    }
    return task.promise();
  }

  /** The number of transactions since the start. */
  public long commits() {
    return commits.get();
  }

  /** Commits all queued tasks, then ends the thread. */
  @Override
  public void close() {
    if (!closing) {
      closing = true;
      queue.put(end);
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

  private void runLoop() {
    while (!ended) {
      try {
        WriteTask<?> first = queue.take(committedAt + LAZY_DELAY.toNanos());
        ended = first == end;
        if (!ended) {
          writeTogether(first);
        }
      } catch (InterruptedException e) {
        LOG.log(System.Logger.Level.DEBUG, "the ledger writer was interrupted; it continues", e);
      }
    }
    line.close();
    finished = true;
    refuseQueued();
  }

  /**
   * Refuses the tasks that were queued after the last one. A caller that queues a task and then
   * finds the writer finished calls this method too, so that no task stays in the queue.
   */
  private void refuseQueued() {
    for (WriteTask<?> left = queue.poll(); left != null; left = queue.poll()) {
      left.fail(StoreErrors.closed());
      left.settle();
    }
  }

  /** Commits this task and the tasks that wait behind it, then completes their promises. */
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
    committedAt = System.nanoTime();
    together.forEach(WriteTask::settle); // callers before log subscribers
    if (news) {
      tail.tell(entries);
    }
    dialect.afterCommit(together.size() + entries.size());
  }

  /**
   * Runs the waiting tasks in one transaction, commits it and returns the new log entries. When the
   * transaction has an urgent task, it takes no lazy tasks behind the last urgent one, except those
   * that are overdue.
   */
  private List<LogEntry> committed(WriteTask<?> first, List<WriteTask<?>> together) {
    long until = System.nanoTime() + MAX_FILL_NANOS;
    together.add(first);
    WriteBatch batch = new WriteBatch(dialect, line.begin());
    batch.perform(first);
    for (int overdue = queue.overdue(); !ended && overdue > 0; overdue--) {
      perform(queue.nextOther(), together, batch);
    }
    while (!ended
        && together.size() < (batch.isUrgent() ? MAX_TASKS : MAX_LAZY_TASKS)
        && System.nanoTime() <= until) {
      @Nullable WriteTask<?> next = batch.isUrgent() ? queue.pollUrgent() : queue.poll();
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
