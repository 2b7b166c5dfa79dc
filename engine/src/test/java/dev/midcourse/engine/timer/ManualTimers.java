package dev.midcourse.engine.timer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Timers and their clock, moved by a test. {@link #move} calls the tasks on the thread of the test,
 * in the order of their times, each at its time.
 */
public final class ManualTimers implements Timers, InstantSource {
  private final Map<String, Timer> timers = new LinkedHashMap<>();
  private Instant now;

  private record Timer(Instant when, Runnable task) {}

  public ManualTimers(Instant now) {
    this.now = now;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized void at(String name, Instant when, Runnable task) {
    timers.put(name, new Timer(when, task));
  }

  @Override
  public synchronized void cancel(String name) {
    timers.remove(name);
  }

  /** The time of the timer, if it is set. */
  public synchronized Optional<Instant> when(String name) {
    return Optional.ofNullable(timers.get(name)).map(Timer::when);
  }

  public void move(Duration by) {
    moveTo(instant().plus(by));
  }

  public void moveTo(Instant end) {
    for (Optional<Runnable> due = next(end); due.isPresent(); due = next(end)) {
      due.get().run();
    }
    synchronized (this) {
      now = end;
    }
  }

  private synchronized Optional<Runnable> next(Instant end) {
    return timers.entrySet().stream()
        .min(Comparator.comparing(entry -> entry.getValue().when()))
        .filter(entry -> !entry.getValue().when().isAfter(end))
        .map(entry -> {
          timers.remove(entry.getKey());
          Instant when = entry.getValue().when();
          now = when.isAfter(now) ? when : now;
          return entry.getValue().task();
        });
  }

  @Override
  public synchronized void close() {
    timers.clear();
  }
}
