package dev.midcourse.engine.timer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The timers of this process. One thread waits for all of them; each task gets a virtual thread.
 *
 * <p>The waiting thread counts elapsed time, and a timer names a time of the clock. Both differ
 * after the machine was suspended or its clock was set, so all waits are started again from the
 * clock once in {@link #CLOCK_CHECK_INTERVAL}; a timer is late by at most this interval then.
 */
public final class LocalTimers implements Timers {
  private static final Logger LOG = System.getLogger(LocalTimers.class.getName());
  private static final Duration CLOCK_CHECK_INTERVAL = Duration.ofMinutes(1);
  private static final Duration MAX_DELAY = Duration.ofDays(1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor waiting;
  private final ExecutorService tasks;

  /** Guarded by itself. */
  private final Map<String, Timer> timers = new HashMap<>();

  private static final class Timer {
    private final Instant when;
    private final Runnable task;
    private @Nullable Future<?> wait;

    Timer(Instant when, Runnable task) {
      this.when = when;
      this.task = task;
    }
  }

  public LocalTimers(InstantSource clock) {
    this.clock = clock;
    this.waiting =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("midcourse-timers").daemon().factory());
    waiting.setRemoveOnCancelPolicy(true);
    waiting.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.tasks =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("midcourse-timer-", 0).factory());
    long interval = CLOCK_CHECK_INTERVAL.toMillis();
    var _ =
        waiting.scheduleWithFixedDelay(
            this::followClock, interval, interval, TimeUnit.MILLISECONDS);
  }

  @Override
  public void at(String name, Instant when, Runnable task) {
    Timer timer = new Timer(when, task);
    synchronized (timers) {
      stopWaiting(timers.put(name, timer));
      startWaiting(name, timer);
    }
  }

  @Override
  public void cancel(String name) {
    synchronized (timers) {
      stopWaiting(timers.remove(name));
    }
  }

  /** Starts every wait again, from the time that the clock shows now. */
  void followClock() {
    synchronized (timers) {
      timers.forEach((name, timer) -> {
        stopWaiting(timer);
        startWaiting(name, timer);
      });
    }
  }

  private static void stopWaiting(@Nullable Timer timer) {
    if (timer != null && timer.wait != null) {
      timer.wait.cancel(false);
    }
  }

  private void startWaiting(String name, Timer timer) {
    Duration left = Duration.between(clock.instant(), timer.when);
    Duration delay =
        left.isNegative() ? Duration.ZERO : left.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : left;
    try {
      timer.wait =
          waiting.schedule(() -> elapsed(name, timer), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      timers.remove(name);
    }
  }

  private void elapsed(String name, Timer timer) {
    synchronized (timers) {
      if (timers.get(name) != timer) {
        return;
      }
      if (clock.instant().isBefore(timer.when)) {
        startWaiting(name, timer);
        return;
      }
      timers.remove(name);
    }
    try {
      tasks.execute(() -> call(name, timer.task));
    } catch (RejectedExecutionException closed) {
      LOG.log(Level.DEBUG, "The timer {0} came after the timers were closed.", name);
    }
  }

  private static void call(String name, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The task of the timer "
              + name
              + " failed. It is not called again until the hub sets it.",
          e);
    }
  }

  @Override
  public void close() {
    synchronized (timers) {
      waiting.shutdownNow();
      timers.clear();
    }
    tasks.shutdown();
    try {
      if (!tasks.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        tasks.shutdownNow();
      }
    } catch (InterruptedException e) {
      tasks.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
