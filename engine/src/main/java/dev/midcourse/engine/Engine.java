package dev.midcourse.engine;

import dev.midcourse.agents.Drivers;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Reading;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * What happens: gives every live run of this host its supervisor, picks queued runs as there is
 * room, and finds the agents of an earlier hub again when it starts. The ledger has all the truth;
 * an engine can be killed at any moment.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Engine.class.getName());
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final Parts parts;
  private final Picking queue;
  private final Map<RunId, Supervisor> supervisors = new ConcurrentHashMap<>();
  private final Map<RunId, Thread> threads = new ConcurrentHashMap<>();
  private final Semaphore bell = new Semaphore(0);

  /** The runs whose waiting has been told; only the picker's. */
  private final Set<RunId> heldBefore = new HashSet<>();

  private final Runs runs;
  private final Steering steering;
  private final Dispatching dispatching;
  private final Reviews reviews;
  private final Notices notices;
  private final Post post;
  private volatile boolean open = true;
  private final Thread picker;

  private Engine(Parts parts) {
    this.parts = parts;
    this.queue = new Picking(parts);
    Checkouts checkouts = new Checkouts(parts);
    this.runs = new Runs(parts, checkouts, this::slotOf, this::ring);
    this.steering = new Steering(parts, this::slotOf, this::ring);
    this.dispatching = new Dispatching(parts, checkouts, runs);
    this.reviews = new Reviews(parts, checkouts, this::ring);
    this.notices = new Notices(parts);
    this.post = new Post(parts.ledger().log(), this::slotOf, steering::isComing);
    this.picker = Thread.ofPlatform().name("midcourse-picker").daemon().unstarted(this::pickOn);
  }

  /**
   * Opens for work: first finds what an earlier hub left running, then takes what is queued.
   *
   * @param random what ids and marks are made of: nobody can guess it, and all threads share it
   */
  public static Engine start(
      EngineSettings settings,
      Ledger ledger,
      Drivers drivers,
      InstantSource clock,
      SecureRandom random) {
    Engine engine = new Engine(new Parts(ledger, drivers, settings, clock, new Ids(random)));
    List<Run> live = ledger.read(Reading::liveRuns);
    new Leftovers(engine.parts).end(live);
    engine.recover(live);
    if (ledger.shared()) {
      engine.post.start();
    }
    engine.picker.start();
    return engine;
  }

  public Runs runs() {
    return runs;
  }

  public Steering steering() {
    return steering;
  }

  public Dispatching dispatching() {
    return dispatching;
  }

  public Reviews reviews() {
    return reviews;
  }

  public Notices notices() {
    return notices;
  }

  public Ledger ledger() {
    return parts.ledger();
  }

  public Drivers drivers() {
    return parts.drivers();
  }

  public EngineSettings settings() {
    return parts.settings();
  }

  /** The runs that have a supervisor here. */
  public List<RunId> attended() {
    return List.copyOf(supervisors.keySet());
  }

  /** Goes down and leaves the agents running for the next hub; returns which. */
  public List<RunId> leave() {
    open = false;
    picker.interrupt();
    notices.close();
    post.close();
    List<RunId> left = attended();
    supervisors.values().forEach(supervisor -> supervisor.slot().put(new Letter.Leave()));
    for (Thread thread : threads.values()) {
      try {
        thread.join(LONGEST_WAIT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return left;
      }
    }
    return left;
  }

  @Override
  public void close() {
    leave();
  }

  private Optional<Slot> slotOf(RunId run) {
    return Optional.ofNullable(supervisors.get(run)).map(Supervisor::slot);
  }

  private void ring() {
    bell.release();
  }

  /**
   * Runs that a hub of this host's name had get a supervisor again. Those of other hosts are left
   * alone, however old their lease: their agents may live on where we cannot see them.
   */
  private void recover(List<Run> live) {
    for (Run run : live) {
      boolean ours = run.lease().map(Lease::host).equals(Optional.of(parts.settings().host()));
      if (run.state() == RunState.RUNNING && ours) {
        supervise(run.id());
      }
    }
    LOG.log(Level.DEBUG, "{0} runs found", supervisors.size());
  }

  private void pickOn() {
    while (open) {
      try {
        Picking.Queue found = queue.look();
        found.ready().forEach(this::supervise);
        tellNewlyHeld(found.held());
        supervisors.values().forEach(supervisor -> supervisor.slot().put(new Letter.Look()));
        Duration wait = found.lookAgainAt().map(this::until).orElse(LONGEST_WAIT);
        bell.tryAcquire(wait.toMillis() + 1, TimeUnit.MILLISECONDS);
        bell.drainPermits();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "the queue could not be read: {0}", e.getMessage());
        pause();
      }
    }
  }

  private void tellNewlyHeld(Map<RunId, String> held) {
    heldBefore.retainAll(held.keySet());
    held.forEach((run, reason) -> {
      if (heldBefore.add(run)) {
        queue.tellHeld(run, reason);
      }
    });
  }

  private Duration until(Instant at) {
    Duration wait = Duration.between(parts.clock().instant(), at);
    return wait.compareTo(LONGEST_WAIT) > 0
        ? LONGEST_WAIT
        : wait.isNegative() ? Duration.ZERO : wait;
  }

  private static void pause() {
    try {
      Thread.sleep(Duration.ofSeconds(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void supervise(RunId id) {
    Supervisor supervisor = new Supervisor(id, parts);
    if (!open || supervisors.putIfAbsent(id, supervisor) != null) {
      return;
    }
    Thread thread =
        Thread.ofVirtual()
            .name("run-" + id)
            .unstarted(() -> {
              try {
                supervisor.run();
              } finally {
                supervisors.remove(id);
                threads.remove(id);
                supervisor.slot().close();
                ring();
              }
            });
    threads.put(id, thread);
    thread.start();
  }
}
