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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Wakes those who listen to the log: who listens to one run hears nothing of the others, and who
 * listens to some kinds of entries hears nothing of other kinds, so that many who wait cost nothing
 * until it is their turn. Long waits share one clock: with a timer for each, two hundred listeners
 * would set two hundred timers with every entry.
 */
final class LogSubscribers {
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Who waits longer than this leaves it to the clock; only the rest of a wait has a timer. */
  private static final long LONG_NANOS = TICK.multipliedBy(2).toNanos();

  private final ConcurrentHashMap<RunId, Topic> ofRuns = new ConcurrentHashMap<>();

  /** Of those who listen to all runs, by the kinds of entries they want; the empty set is all. */
  private final ConcurrentHashMap<Set<String>, Topic> ofKinds = new ConcurrentHashMap<>();

  private final AtomicBoolean ticking = new AtomicBoolean();

  /** Who is woken together. */
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

  /** Somebody who listens until closed. Waits on one thread. */
  final class Listener implements AutoCloseable {
    private final Consumer<Listener> leave;
    private volatile boolean rung;
    private volatile @Nullable Thread waiting;
    private volatile long until;

    private Listener(Consumer<Listener> leave) {
      this.leave = leave;
    }

    /** Forgets what rang. To be done before looking, so that a ring after the look is heard. */
    void listen() {
      rung = false;
    }

    boolean rung() {
      return rung;
    }

    /** Until it has rung since it listened last, and at most so long. */
    void await(long nanos) throws InterruptedException {
      until = System.nanoTime() + nanos;
      waiting = Thread.currentThread();
      try {
        for (long left = nanos; !rung && left > 0; left = until - System.nanoTime()) {
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

    private void ring() {
      if (!rung) {
        rung = true;
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

  /** A listener who may be woken for more than the filter lets through, and never for less. */
  Listener listen(Filter filter) {
    return filter.run().isPresent()
        ? listen(ofRuns, filter.run().get())
        : listen(ofKinds, filter.kinds());
  }

  private <K> Listener listen(ConcurrentHashMap<K, Topic> bells, K key) {
    Listener listener =
        new Listener(own -> bells.computeIfPresent(key, (_, topic) -> topic.without(own)));
    bells.compute(key, (_, topic) -> (topic == null ? new Topic() : topic).with(listener));
    return listener;
  }

  /** For those who listen to what these entries are. */
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

  /** For everybody. */
  void wake() {
    Set<Topic> everybody = new LinkedHashSet<>(ofKinds.values());
    everybody.addAll(ofRuns.values());
    wake(everybody);
  }

  /** Waking thousands takes its time, and that is not the writer's. */
  private static void wake(Collection<Topic> some) {
    if (!some.isEmpty()) {
      Thread.startVirtualThread(
          () -> some.forEach(topic -> topic.listeners.forEach(Listener::ring)));
    }
  }

  private void startTicking() {
    if (!ticking.get() && ticking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("bells").start(this::tickOn);
    }
  }

  /** While anybody listens. Looks again after it has ended: somebody may have relied on it. */
  private void tickOn() {
    while (anybody()) {
      LockSupport.parkNanos(TICK.toNanos());
      long now = System.nanoTime();
      Stream.concat(ofRuns.values().stream(), ofKinds.values().stream())
          .forEach(topic -> topic.listeners.forEach(listener -> listener.tick(now)));
    }
    ticking.set(false);
    if (anybody()) {
      startTicking();
    }
  }

  /** Whether the clock goes. */
  boolean ticks() {
    return ticking.get();
  }

  private boolean anybody() {
    return !ofRuns.isEmpty() || !ofKinds.isEmpty();
  }
}
