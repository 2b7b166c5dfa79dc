package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.Ledger.Priority;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the writer. Steers go first; all other tasks keep their order of arrival. If steers
 * have overtaken the other tasks for {@link #MAX_OVERTAKEN}, some of the other tasks are overdue.
 * Many threads put tasks; the writer thread takes them.
 */
public final class WriteQueue {
  /** When so many other tasks are queued, {@link #put} blocks. Steers never block. */
  private static final int MAX_QUEUED = 65_536;

  public static final Duration MAX_OVERTAKEN = Duration.ofMillis(10);

  private final LongSupplier nanoTime;

  /** Guards all fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition taskArrived = lock.newCondition();
  private final Condition spaceFreed = lock.newCondition();
  private final Deque<WriteTask<?>> steers = new ArrayDeque<>();
  private final Deque<WriteTask<?>> others = new ArrayDeque<>();

  /** The number of queued tasks that are not lazy. */
  private int urgent;

  /** The time when one of the others was taken last, or arrived in the empty queue. */
  private long othersServedAt;

  public WriteQueue(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  public void put(WriteTask<?> task) {
    lock.lock();
    try {
      if (task.priority() == Priority.STEER) {
        steers.add(task);
      } else {
        while (others.size() >= MAX_QUEUED) {
          spaceFreed.awaitUninterruptibly();
        }
        if (others.isEmpty()) {
          othersServedAt = nanoTime.getAsLong();
        }
        others.add(task);
      }
      if (task.priority() != Priority.LAZY) {
        urgent++;
      }
      if (task.priority() != Priority.LAZY || steers.size() + others.size() == 1) {
        taskArrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks until there is a task and takes it. A few lazy tasks alone are not taken before the
   * given time.
   */
  WriteTask<?> take(long lazyNotBefore) throws InterruptedException {
    lock.lock();
    try {
      while (steers.isEmpty() && others.isEmpty()) {
        taskArrived.await();
      }
      long left = lazyNotBefore - nanoTime.getAsLong();
      while (left > 0 && urgent == 0 && others.size() < GroupCommit.MAX_LAZY_TASKS) {
        left = taskArrived.awaitNanos(left);
      }
      return next();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next task; null if the queue is empty. */
  public @Nullable WriteTask<?> poll() {
    lock.lock();
    try {
      return steers.isEmpty() && others.isEmpty() ? null : next();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next task; null if all queued tasks are lazy. */
  public @Nullable WriteTask<?> pollUrgent() {
    lock.lock();
    try {
      return urgent == 0 ? null : next();
    } finally {
      lock.unlock();
    }
  }

  /** The number of other tasks that must be taken now, even if steers wait. */
  public int overdue() {
    lock.lock();
    try {
      boolean due = nanoTime.getAsLong() - othersServedAt > MAX_OVERTAKEN.toNanos();
      return due ? Math.min(others.size(), GroupCommit.MAX_LAZY_TASKS) : 0;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next of the other tasks; {@link #overdue} has said that there is one. */
  public WriteTask<?> nextOther() {
    lock.lock();
    try {
      return taken(others.remove());
    } finally {
      lock.unlock();
    }
  }

  private WriteTask<?> next() {
    return taken(steers.isEmpty() ? others.remove() : steers.remove());
  }

  private WriteTask<?> taken(WriteTask<?> task) {
    if (task.priority() != Priority.LAZY) {
      urgent--;
    }
    if (task.priority() != Priority.STEER) {
      othersServedAt = nanoTime.getAsLong();
      spaceFreed.signal();
    }
    return task;
  }
}
