package dev.midcourse.ledger.sql;

import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Log.Logged;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Wakes those who listen to the log: who listens to one run hears nothing of the others, so that
 * many who wait cost nothing until it is their turn.
 */
final class Bells {
  private final Bell all = new Bell();
  private final ConcurrentHashMap<RunId, Bell> ofRuns = new ConcurrentHashMap<>();

  /** Somebody who listens until closed. */
  final class Listener implements AutoCloseable {
    private final Optional<RunId> run;
    private final Bell bell;

    private Listener(Optional<RunId> run, Bell bell) {
      this.run = run;
      this.bell = bell;
    }

    /** The next ring. To be taken before looking, so that a ring after the look is heard. */
    Ring next() {
      return new Ring(bell.next.get());
    }

    @Override
    public void close() {
      run.ifPresentOrElse(
          one -> ofRuns.computeIfPresent(one, (_, known) -> known.left() == 0 ? null : known),
          bell::left);
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

  Listener listen(Optional<RunId> run) {
    Bell bell =
        run.map(one ->
                ofRuns.compute(one, (_, known) -> (known == null ? new Bell() : known).came()))
            .orElseGet(all::came);
    return new Listener(run, bell);
  }

  /** For those who listen to all, and to a run that these entries are about. */
  void ring(List<Logged> entries) {
    Map<RunId, Bell> concerned = new HashMap<>();
    if (!ofRuns.isEmpty()) {
      for (Logged entry : entries) {
        @Nullable Bell bell = ofRuns.get(entry.run());
        if (bell != null) {
          concerned.put(entry.run(), bell);
        }
      }
    }
    ring(concerned.values());
  }

  /** For everybody. */
  void ring() {
    ring(ofRuns.values());
  }

  /** Waking thousands takes its time, and that is not the writer's. */
  private void ring(Collection<Bell> some) {
    List<CompletableFuture<Boolean>> due = some.stream().map(Bell::due).toList();
    CompletableFuture<Boolean> forAll = all.due();
    if (all.listeners.get() > 0 || !due.isEmpty()) {
      Thread.startVirtualThread(() -> {
        forAll.complete(true);
        due.forEach(ring -> ring.complete(true));
      });
    }
  }
}
