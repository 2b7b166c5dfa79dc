package dev.midcourse.ledger.sql.write;

import dev.midcourse.ledger.Ledger.Priority;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The works that wait for the writer: those that may go first, and all others in the order in which
 * they came. However many go first, the others have their turn every {@link #MAX_PASSED}.
 */
public final class WriteQueue {
  /** More than this waiting makes callers wait before they hand in. */
  private static final int MAX = 65_536;

  public static final Duration MAX_PASSED = Duration.ofMillis(10);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition somebodyCame = lock.newCondition();
  private final Condition thereIsRoom = lock.newCondition();
  private final Deque<WriteTask<?>> first = new ArrayDeque<>();
  private final Deque<WriteTask<?>> others = new ArrayDeque<>();
  private int urgent;

  /** When one of the others was taken last, or came while there was none. */
  private long served;

  void put(WriteTask<?> task) {
    lock.lock();
    try {
      if (task.priority() == Priority.STEER) {
        first.add(task);
      } else {
        while (others.size() >= MAX) {
          thereIsRoom.awaitUninterruptibly();
        }
        if (others.isEmpty()) {
          served = System.nanoTime();
        }
        others.add(task);
      }
      if (task.priority() != Priority.LAZY) {
        urgent++;
      }
      if (task.priority() != Priority.LAZY || first.size() + others.size() == 1) {
        somebodyCame.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The next one; when they are few and nobody waits for any of them, not before this time. */
  WriteTask<?> take(long nanoTime) throws InterruptedException {
    lock.lock();
    try {
      while (first.isEmpty() && others.isEmpty()) {
        somebodyCame.await();
      }
      long left = nanoTime - System.nanoTime();
      while (left > 0 && urgent == 0 && others.size() < GroupCommit.MAX_AT_LEISURE) {
        left = somebodyCame.awaitNanos(left);
      }
      return next();
    } finally {
      lock.unlock();
    }
  }

  /** The next one, if there is any. */
  @Nullable WriteTask<?> poll() {
    lock.lock();
    try {
      return first.isEmpty() && others.isEmpty() ? null : next();
    } finally {
      lock.unlock();
    }
  }

  /** The next one, if somebody waits for it or for one behind it. */
  @Nullable WriteTask<?> pollUrgent() {
    lock.lock();
    try {
      return urgent == 0 ? null : next();
    } finally {
      lock.unlock();
    }
  }

  /** How many of the others are to be taken now, whoever else waits. */
  int overdue() {
    lock.lock();
    try {
      boolean passed = System.nanoTime() - served > MAX_PASSED.toNanos();
      return passed ? Math.min(others.size(), GroupCommit.MAX_AT_LEISURE) : 0;
    } finally {
      lock.unlock();
    }
  }

  /** The next of the others; there is one. */
  WriteTask<?> nextOther() {
    lock.lock();
    try {
      return taken(others.remove());
    } finally {
      lock.unlock();
    }
  }

  private WriteTask<?> next() {
    return taken(first.isEmpty() ? others.remove() : first.remove());
  }

  private WriteTask<?> taken(WriteTask<?> task) {
    if (task.priority() != Priority.LAZY) {
      urgent--;
    }
    if (task.priority() != Priority.STEER) {
      served = System.nanoTime();
      thereIsRoom.signal();
    }
    return task;
  }
}
