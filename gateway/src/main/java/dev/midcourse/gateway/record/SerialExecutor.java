package dev.midcourse.gateway.record;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs tasks one after the other in the order in which they came, on a virtual thread that exists
 * only while there are any. {@link #execute} never blocks.
 */
final class SerialExecutor implements Executor {
  private static final System.Logger LOG = System.getLogger(SerialExecutor.class.getName());

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      if (!running) {
        running = true;
        Thread.ofVirtual().name("gateway-record").start(this::runAll);
      }
    } finally {
      lock.unlock();
    }
  }

  private void runAll() {
    Optional<Runnable> task = next();
    while (task.isPresent()) {
      try {
        task.get().run();
      } catch (RuntimeException failure) {
        LOG.log(
            Level.WARNING,
            "Reading a request failed; it was passed on, and proves nothing.",
            failure);
      }
      task = next();
    }
  }

  private Optional<Runnable> next() {
    lock.lock();
    try {
      Optional<Runnable> task = Optional.ofNullable(tasks.poll());
      running = task.isPresent();
      return task;
    } finally {
      lock.unlock();
    }
  }
}
