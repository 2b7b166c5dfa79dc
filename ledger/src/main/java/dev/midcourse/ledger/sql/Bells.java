package dev.midcourse.ledger.sql;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Filter;
import dev.midcourse.ledger.Log.Logged;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Wakes those who listen to the log: who listens to one run hears nothing of the others, and who
 * listens to some kinds of entries hears nothing of other kinds, so that many who wait cost nothing
 * until it is their turn.
 */
final class Bells {
  private final ConcurrentHashMap<RunId, Bell> ofRuns = new ConcurrentHashMap<>();

  /** Of those who listen to all runs, by the kinds of entries they want; the empty set is all. */
  private final ConcurrentHashMap<Set<String>, Bell> ofKinds = new ConcurrentHashMap<>();

  /** Somebody who listens until closed. */
  static final class Listener implements AutoCloseable {
    private final Bell bell;
    private final Runnable leave;

    private Listener(Bell bell, Runnable leave) {
      this.bell = bell;
      this.leave = leave;
    }

    /** The next ring. To be taken before looking, so that a ring after the look is heard. */
    Ring next() {
      return new Ring(bell.next.get());
    }

    @Override
    public void close() {
      leave.run();
    }
  }

  /** A ring that may not have come yet. */
  record Ring(CompletableFuture<Boolean> rung) {
    void await(long nanos) throws InterruptedException {
      try {
        rung.get(nanos, TimeUnit.NANOSECONDS);
      } catch (TimeoutException _) {
        // Whoever waits looks at the clock itself.
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Bell {
    private final AtomicInteger listeners = new AtomicInteger();
    private final AtomicReference<CompletableFuture<Boolean>> next =
        new AtomicReference<>(new CompletableFuture<>());

    Bell came() {
      listeners.incrementAndGet();
      return this;
    }

    int left() {
      return listeners.decrementAndGet();
    }

    /** The ring that is due now; those who come later wait for the one after it. */
    CompletableFuture<Boolean> due() {
      return next.getAndSet(new CompletableFuture<>());
    }
  }

  /** A listener who may be woken for more than the filter lets through, and never for less. */
  Listener listen(Filter filter) {
    return filter.run().isPresent()
        ? listen(ofRuns, filter.run().get())
        : listen(ofKinds, filter.kinds());
  }

  private <K> Listener listen(ConcurrentHashMap<K, Bell> bells, K key) {
    Bell bell = bells.compute(key, (_, known) -> (known == null ? new Bell() : known).came());
    return new Listener(
        bell, () -> bells.computeIfPresent(key, (_, known) -> known.left() == 0 ? null : known));
  }

  /** For those who listen to what these entries are. */
  void ring(List<Logged> entries) {
    Set<Bell> concerned = new LinkedHashSet<>();
    ofKinds.forEach((kinds, bell) -> {
      if (kinds.isEmpty() || entries.stream().anyMatch(entry -> kinds.contains(entry.kind()))) {
        concerned.add(bell);
      }
    });
    if (!ofRuns.isEmpty()) {
      for (Logged entry : entries) {
        @Nullable Bell bell = ofRuns.get(entry.run());
        if (bell != null) {
          concerned.add(bell);
        }
      }
    }
    ring(concerned);
  }

  /** For everybody. */
  void ring() {
    Set<Bell> everybody = new LinkedHashSet<>(ofKinds.values());
    everybody.addAll(ofRuns.values());
    ring(everybody);
  }

  /** Waking thousands takes its time, and that is not the writer's. */
  private static void ring(Collection<Bell> some) {
    List<CompletableFuture<Boolean>> due = some.stream().map(Bell::due).toList();
    if (!due.isEmpty()) {
      Thread.startVirtualThread(() -> due.forEach(ring -> ring.complete(true)));
    }
  }
}
