package dev.midcourse.engine.timer;

import java.time.Instant;

/**
 * Calls tasks at a time. A timer calls its task once, on a thread of its own, and not before its
 * time; it may do so later. A task can fail or block without an effect on other timers. All methods
 * may be called by all threads, also by a task.
 */
public interface Timers extends AutoCloseable {

  /**
   * Calls the task at the time, or at once if it has passed. A timer of the same name is replaced;
   * a task of it that has started goes on.
   */
  void at(String name, Instant when, Runnable task);

  /** Removes the timer of this name, if there is one. A task of it that has started goes on. */
  void cancel(String name);

  /** Removes all timers and waits a limited time for the tasks that have started. */
  @Override
  void close();
}
