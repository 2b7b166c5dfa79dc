package dev.midcourse.autopilot;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.LoopForge;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.remote.LoopStack;
import dev.midcourse.core.loop.remote.RemoteChecks;
import dev.midcourse.core.loop.step.LoopFact;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Looks at the changes of loops at their forges. A loop that waits holds no thread: the time of its
 * next look is a timer. A look that finds nothing new writes nothing.
 */
final class ForgePoller {
  private static final Logger LOG = System.getLogger(ForgePoller.class.getName());
  private static final int MAX_LOG = 3_500;
  private static final Duration OUTAGE_DELAY = Duration.ofMinutes(1);

  private final LoopParts parts;
  private final LoopActor.FactListener listener;
  private final RemoteSteers steers;
  private final HostBudget budget;
  private final RandomGenerator random = RandomGenerator.getDefault();

  /** What is waited for, by loop. A watch and its timer are set together, under its lock. */
  private final Map<LoopId, Watch> watches = new ConcurrentHashMap<>();

  private record Watch(int looks, Instant next) {}

  ForgePoller(LoopParts parts, LoopActor.FactListener listener, RemoteSteers steers) {
    this.parts = parts;
    this.listener = listener;
    this.steers = steers;
    this.budget = new HostBudget(parts.looks().spacing());
  }

  /** Watches the change of a loop that waits for it; forgets a loop that does not. */
  void watch(Loop loop) {
    boolean watched =
        loop.forge().flatMap(LoopForge::change).isPresent() && !loop.phase().hasEnded();
    if (!watched) {
      if (watches.remove(loop.id()) != null) {
        parts.timers().cancel(timer(loop.id()));
        loop.spec().forge().ifPresent(it -> budget.release(it.name(), loop.id()));
      }
    } else if (!watches.containsKey(loop.id())) {
      arm(loop, 0, delay(loop, 0));
    }
  }

  /** Looks as soon as the forge has time for it. */
  void lookNow(Loop loop) {
    if (loop.forge().flatMap(LoopForge::change).isPresent() && !loop.phase().hasEnded()) {
      arm(loop, 0, Duration.ZERO);
    }
  }

  /** Looks at all changes at this forge, because it says that something has happened there. */
  void wake(String forge, Optional<String> project, List<Loop> loops) {
    for (Loop loop : loops) {
      Optional<ForgeOrder> order = loop.spec().forge().filter(it -> it.name().equals(forge));
      boolean meant =
          order.isPresent()
              && project.filter(it -> !it.equalsIgnoreCase(order.get().project())).isEmpty();
      if (meant) {
        lookNow(loop);
      }
    }
  }

  /** When the loop looks at its change again. */
  Optional<Instant> nextLook(LoopId loop) {
    return Optional.ofNullable(watches.get(loop)).map(Watch::next);
  }

  private Duration delay(Loop loop, int looks) {
    return switch (loop.phase()) {
      case PUBLISH, ANSWER, CHECK, LAND -> parts.looks().delay(looks, random.nextDouble());
      case PREPARE, IMPLEMENT, VERIFY, FIX, SYNC, PARKED, DONE, STOPPED -> parts.looks().longest();
    };
  }

  private void arm(Loop loop, int looks, Duration delay) {
    String forge = loop.spec().forge().orElseThrow().name();
    synchronized (watches) {
      Instant at = budget.take(forge, loop.id(), parts.clock().instant().plus(delay));
      watches.put(loop.id(), new Watch(looks, at));
      parts.timers().at(timer(loop.id()), at, () -> look(loop.id()));
    }
  }

  private static String timer(LoopId loop) {
    return "look " + loop;
  }

  private void look(LoopId id) {
    Optional<Loop> loop = parts.ledger().read(reading -> reading.loops().loop(id));
    if (loop.isEmpty() || loop.get().phase().hasEnded()) {
      watches.remove(id);
      loop.flatMap(it -> it.spec().forge()).ifPresent(it -> budget.release(it.name(), id));
      return;
    }
    Optional<Watch> begun = Optional.ofNullable(watches.get(id));
    int looks = begun.map(Watch::looks).orElse(0);
    Duration least = Duration.ZERO;
    try {
      Loop after = look(loop.get());
      looks = after.equals(loop.get()) ? looks + 1 : 0;
    } catch (ForgeException e) {
      looks++;
      least = failed(loop.get(), e.error());
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return;
    } catch (RuntimeException e) {
      looks++;
      least = OUTAGE_DELAY;
      LOG.log(
          Level.WARNING,
          "Loop " + id + " could not look at its change; it looks again in a minute.",
          e);
    }
    again(id, begun, looks, least);
  }

  /**
   * Sets the next look after the one that began with this watch. An act or an event that has asked
   * for another look meanwhile has set an earlier one, which stays.
   */
  private void again(LoopId id, Optional<Watch> begun, int looks, Duration least) {
    Optional<Loop> now = parts.ledger().read(reading -> reading.loops().loop(id));
    now.filter(it -> !it.phase().hasEnded())
        .ifPresent(loop -> {
          Duration usual = delay(loop, looks);
          synchronized (watches) {
            if (Optional.ofNullable(watches.get(id)).equals(begun)) {
              arm(loop, looks, usual.compareTo(least) > 0 ? usual : least);
            }
          }
        });
  }

  private Loop look(Loop loop) throws ForgeException, InterruptedException {
    ForgeOrder order = loop.spec().forge().orElseThrow();
    Forge forge = parts.forges().open(order.name(), order.project());
    ChangeRef change = loop.forge().flatMap(LoopForge::change).orElseThrow();
    Instant begun = parts.clock().instant();
    ChangeSnapshot snapshot = withLogs(forge, order, loop, forge.snapshot(change));
    retargetIfBelowMerged(loop, snapshot.base());
    Loop now = now(loop);
    boolean sameBase = base(now).equals(base(loop));
    if (!sameBase) {
      return now; // the snapshot has the base before: the next look decides
    }
    steers.take(loop, snapshot);
    listener.onFact(loop.id(), new LoopFact.ForgeRead(snapshot, begun));
    return now(loop);
  }

  private Loop now(Loop loop) {
    return parts.ledger().<Optional<Loop>>read(r -> r.loops().loop(loop.id())).orElse(loop);
  }

  private static Optional<String> base(Loop loop) {
    return loop.forge().map(LoopForge::base);
  }

  /** Retargets a loop if somebody has merged the change on whose branch it is based. */
  private void retargetIfBelowMerged(Loop loop, String seen)
      throws ForgeException, InterruptedException {
    Optional<Loop> below =
        parts
            .ledger()
            .<Optional<Loop>>read(reading -> LoopsBelow.of(loop, reading.loops()))
            .filter(it -> LoopStack.isLookNeeded(loop, it, seen));
    Optional<ChangeRef> change = below.flatMap(Loop::forge).flatMap(LoopForge::change);
    if (change.isEmpty()) {
      return;
    }
    ForgeOrder order = loop.spec().forge().orElseThrow();
    try {
      ChangeSnapshot its =
          parts.forges().open(order.name(), order.project()).snapshot(change.get());
      LoopStack.baseAfter(its)
          .ifPresent(base -> listener.onFact(loop.id(), new LoopFact.ParentLanded(base)));
    } catch (ForgeException e) {
      if (!(e.error() instanceof ForgeError.NotFound)) {
        throw e;
      }
      LOG.log(
          Level.INFO,
          "Loop {0} keeps its base, because change {1} below it is not at the forge any more.",
          loop.id(),
          change.get().number());
    }
  }

  /** The snapshot with the ends of the logs of failed checks, if nothing else runs any more. */
  private static ChangeSnapshot withLogs(
      Forge forge, ForgeOrder order, Loop loop, ChangeSnapshot snapshot)
      throws InterruptedException {
    boolean judged =
        loop.check()
            .filter(it -> it.head().equals(snapshot.head()) && it.ci().isEmpty())
            .isPresent();
    boolean ended = snapshot.checks().stream().allMatch(it -> it.state().hasEnded());
    List<RemoteCheck> failed = RemoteChecks.failed(snapshot.checks(), order);
    if (!judged || !ended || failed.isEmpty()) {
      return snapshot;
    }
    List<RemoteCheck> checks = new ArrayList<>();
    for (RemoteCheck check : snapshot.checks()) {
      checks.add(failed.contains(check) && !check.id().isBlank() ? withLog(forge, check) : check);
    }
    return snapshot.withChecks(checks);
  }

  private static RemoteCheck withLog(Forge forge, RemoteCheck check) throws InterruptedException {
    try {
      String log = forge.log(check.id(), MAX_LOG).strip();
      return log.isEmpty() ? check : check.withSummary(check.summary().strip() + "\n" + log);
    } catch (ForgeException noLog) {
      return check; // the result of the check is known without its log
    }
  }

  /** Returns how long this loop does not look. */
  private Duration failed(Loop loop, ForgeError error) {
    if (error instanceof ForgeError.Limited(_, Instant until)) {
      budget.pause(loop.spec().forge().orElseThrow().name(), until);
      return Duration.ZERO;
    }
    try {
      listener.onFact(loop.id(), new LoopFact.ForgeFailed(error));
    } catch (RefusedException gone) {
      return Duration.ZERO;
    }
    LOG.log(Level.INFO, "Loop {0} could not look at its change: {1}", loop.id(), error.message());
    return OUTAGE_DELAY;
  }
}
