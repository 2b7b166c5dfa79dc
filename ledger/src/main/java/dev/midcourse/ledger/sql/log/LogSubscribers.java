package dev.midcourse.ledger.sql.log;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.LogEntry;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Wakes log subscribers. Subscribers are indexed by run or by set of event kinds, so a commit wakes
 * only those it concerns. Long waits share one ticking thread, because a timer for each subscriber
 * would mean hundreds of new timers with every entry.
 */
final class LogSubscribers {
  private static final Duration TICK = Duration.ofSeconds(1);

  /** A longer wait relies on the ticking thread; the rest of a wait has a timer of its own. */
  private static final long LONG_NANOS = TICK.multipliedBy(2).toNanos();

  /** The subscribers of one run each. */
  private final ConcurrentHashMap<RunId, Topic> ofRuns = new ConcurrentHashMap<>();

  /** The subscribers of all runs, by event kinds; the empty set means all kinds. */
  private final ConcurrentHashMap<Set<String>, Topic> ofKinds = new ConcurrentHashMap<>();

  private final AtomicBoolean ticking = new AtomicBoolean();
  private final Executor wakeUps;

  LogSubscribers() {
    this(Thread::startVirtualThread);
  }

  /** The executor runs the wake-ups; the default is a new virtual thread for each commit. */
  LogSubscribers(Executor wakeUps) {
    this.wakeUps = wakeUps;
  }

  /** Subscribers that are woken together. */
  private static final class Topic {
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

    Topic with(Listener listener) {
      listeners.add(listener);
      return this;
    }

    @Nullable Topic without(Listener listener) {
      listeners.remove(listener);
      return listeners.isEmpty() ? null : this;
    }
  }

  /** One subscriber, until it is closed. Only one thread may wait on it. */
  final class Listener implements AutoCloseable {
    private final Consumer<Listener> leave;
    private volatile boolean woken;
    private volatile @Nullable Thread waiting;
    private volatile long until;

    private Listener(Consumer<Listener> leave) {
      this.leave = leave;
    }

    /** Clears the wake-up. Call it before reading the log, so that no later entry is missed. */
    void listen() {
      woken = false;
    }

    boolean woken() {
      return woken;
    }

    /** Blocks until a wake-up since the last {@link #listen}, or until the time is over. */
    void await(long nanos) throws InterruptedException {
      until = System.nanoTime() + nanos;
      waiting = Thread.currentThread();
      try {
        for (long left = nanos; !woken && left > 0; left = until - System.nanoTime()) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          park(left);
        }
      } finally {
        waiting = null;
      }
    }

    private void park(long nanos) {
      if (nanos > LONG_NANOS) {
        startTicking();
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, nanos);
      }
    }

    private void signal() {
      if (!woken) {
        woken = true;
        LockSupport.unpark(waiting);
      }
    }

    private void tick(long now) {
      if (until - now <= LONG_NANOS) {
        LockSupport.unpark(waiting);
      }
    }

    @Override
    public void close() {
      leave.accept(this);
    }
  }

  /** Subscribes. The filter's entries always wake the subscriber; other entries may wake it. */
  Listener listen(Filter filter) {
    return filter.run().isPresent()
        ? listen(ofRuns, filter.run().get())
        : listen(ofKinds, filter.kinds());
  }

  private <K> Listener listen(ConcurrentHashMap<K, Topic> signals, K key) {
    Listener listener =
        new Listener(own -> signals.computeIfPresent(key, (_, topic) -> topic.without(own)));
    signals.compute(key, (_, topic) -> (topic == null ? new Topic() : topic).with(listener));
    return listener;
  }

  /** Wakes the subscribers that these entries concern. */
  void wake(List<LogEntry> entries) {
    Set<Topic> concerned = new LinkedHashSet<>();
    ofKinds.forEach((kinds, topic) -> {
      if (kinds.isEmpty() || entries.stream().anyMatch(entry -> kinds.contains(entry.kind()))) {
        concerned.add(topic);
      }
    });
    if (!ofRuns.isEmpty()) {
      for (LogEntry entry : entries) {
        @Nullable Topic topic = ofRuns.get(entry.run());
        if (topic != null) {
          concerned.add(topic);
        }
      }
    }
    wake(concerned);
  }

  /** Wakes all subscribers. */
  void wake() {
    Set<Topic> everybody = new LinkedHashSet<>(ofKinds.values());
    everybody.addAll(ofRuns.values());
    wake(everybody);
  }

  /** Does not wake on the caller's thread, because the writer must not wait for many wake-ups. */
  private void wake(Collection<Topic> some) {
    if (!some.isEmpty()) {
      wakeUps.execute(() -> some.forEach(topic -> topic.listeners.forEach(Listener::signal)));
    }
  }

  private void startTicking() {
    if (!ticking.get() && ticking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("log-subscribers-timer").start(this::runTimer);
    }
  }

  /**
   * Ticks while there are subscribers. Checks again after the end, because a new subscriber may
   * have seen the flag before it was cleared.
   */
  private void runTimer() {
    while (hasLongWaits()) {
      LockSupport.parkNanos(TICK.toNanos());
      long now = System.nanoTime();
      Stream.concat(ofRuns.values().stream(), ofKinds.values().stream())
          .forEach(topic -> topic.listeners.forEach(listener -> listener.tick(now)));
    }
    ticking.set(false);
    if (hasLongWaits()) {
      startTicking();
    }
  }

  /** Whether the ticking thread runs. */
  boolean ticks() {
    return ticking.get();
  }

  private boolean hasLongWaits() {
    return !ofRuns.isEmpty() || !ofKinds.isEmpty();
  }
}
