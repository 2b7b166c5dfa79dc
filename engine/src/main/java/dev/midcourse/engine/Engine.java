package dev.midcourse.engine;

import dev.midcourse.agents.Drivers;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.engine.checkout.Checkouts;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.follow.Notices;
import dev.midcourse.engine.follow.RemoteChangeRelay;
import dev.midcourse.engine.queue.OrphanedAttempts;
import dev.midcourse.engine.queue.RunQueue;
import dev.midcourse.engine.supervise.Supervisor;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.RetryDelay;
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
 * Runs the runs of this host: gives each live run a supervisor, starts queued runs as there is
 * room, and at its start attaches to the agents of an earlier hub. All state is in the ledger, so
 * an engine may be killed at any moment.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Engine.class.getName());
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

  private final EngineContext context;
  private final RunQueue queue;
  private final Map<RunId, Supervisor> supervisors = new ConcurrentHashMap<>();
  private final Map<RunId, Thread> threads = new ConcurrentHashMap<>();
  private final Semaphore wakeUps = new Semaphore(0);

  /** The held runs whose reason the log has. Only the picker thread uses it. */
  private final Set<RunId> knownHeld = new HashSet<>();

  private final RunService runService;
  private final SteerService steerService;
  private final DispatchService dispatching;
  private final ReviewService reviews;
  private final Notices notices;
  private final RemoteChangeRelay post;
  private volatile boolean open = true;
  private final Thread picker;

  private Engine(EngineContext context) {
    this.context = context;
    this.queue = new RunQueue(context);
    Checkouts checkouts = new Checkouts(context);
    this.runService = new RunService(context, checkouts, this::mailboxOf, this::wakeQueue);
    this.steerService = new SteerService(context, this::mailboxOf, this::wakeQueue);
    this.dispatching = new DispatchService(context, checkouts, runService);
    this.reviews = new ReviewService(context, checkouts, this::wakeQueue);
    this.notices = new Notices(context);
    this.post =
        new RemoteChangeRelay(context.ledger().log(), this::mailboxOf, steerService::isBeingStored);
    this.picker = Thread.ofPlatform().name("midcourse-picker").daemon().unstarted(this::pick);
  }

  /**
   * Starts an engine. It first attaches to the agents of an earlier hub, and then starts queued
   * runs.
   *
   * @param random the source of ids and process markers: unpredictable, and shared by all threads
   */
  public static Engine start(
      EngineSettings settings,
      Ledger ledger,
      Drivers drivers,
      InstantSource clock,
      SecureRandom random) {
    Engine engine =
        new Engine(new EngineContext(ledger, drivers, settings, clock, new Ids(random)));
    List<Run> live = ledger.read(LedgerReader::liveRuns);
    new OrphanedAttempts(engine.context).end(live);
    engine.recover(live);
    if (ledger.shared()) {
      engine.post.start();
    }
    engine.picker.start();
    return engine;
  }

  public RunService runs() {
    return runService;
  }

  public SteerService steering() {
    return steerService;
  }

  public DispatchService dispatching() {
    return dispatching;
  }

  public ReviewService reviews() {
    return reviews;
  }

  public Notices notices() {
    return notices;
  }

  /** The dependencies of the engine, for services beside it. */
  public EngineContext context() {
    return context;
  }

  public Ledger ledger() {
    return context.ledger();
  }

  public Drivers drivers() {
    return context.drivers();
  }

  public EngineSettings settings() {
    return context.settings();
  }

  /** The runs that have a supervisor here. */
  public List<RunId> attended() {
    return List.copyOf(supervisors.keySet());
  }

  /**
   * Closes the engine without ending the agents. Returns the runs whose agents keep running for the
   * next hub.
   */
  public List<RunId> leave() {
    open = false;
    picker.interrupt();
    notices.close();
    post.close();
    List<RunId> left = attended();
    supervisors
        .values()
        .forEach(supervisor -> supervisor.mailbox().put(new SupervisorMessage.Detach()));
    for (Thread thread : threads.values()) {
      try {
        thread.join(MAX_WAIT);
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

  private Optional<SupervisorMailbox> mailboxOf(RunId run) {
    return Optional.ofNullable(supervisors.get(run)).map(Supervisor::mailbox);
  }

  private void wakeQueue() {
    wakeUps.release();
  }

  /**
   * Gives a supervisor to each running run of this host. Runs of other hosts are left alone, also
   * when their lease is old: their agents may be alive on a machine that this hub cannot see.
   */
  private void recover(List<Run> live) {
    for (Run run : live) {
      boolean ours = run.lease().map(Lease::host).equals(Optional.of(context.settings().host()));
      if (run.state() == RunState.RUNNING && ours) {
        supervise(run.id());
      }
    }
    LOG.log(Level.DEBUG, "Attached to {0} running runs.", supervisors.size());
  }

  private void pick() {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            RETRY_INTERVAL,
            "Reading the queue",
            "Queued runs start later, running ones go on.");
    while (open) {
      try {
        RunQueue.Selection found = queue.next();
        found.ready().forEach(this::supervise);
        recordNewlyHeld(found.held());
        found.displaced().forEach(this::displace);
        supervisors
            .values()
            .forEach(supervisor -> supervisor.mailbox().put(new SupervisorMessage.RenewLease()));
        retry.succeeded();
        Duration wait = found.nextAt().map(this::until).orElse(MAX_WAIT);
        wakeUps.tryAcquire(wait.toMillis() + 1, TimeUnit.MILLISECONDS);
        wakeUps.drainPermits();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!open || !retry.sleepAfter(e)) {
          return;
        }
      }
    }
  }

  /** Asks an idle run of this host to end, so that the queued run can start. */
  private void displace(RunId idle, RunId queued) {
    mailboxOf(idle).ifPresent(mailbox -> mailbox.put(new SupervisorMessage.GiveWay(queued)));
  }

  private void recordNewlyHeld(Map<RunId, String> held) {
    knownHeld.retainAll(held.keySet());
    held.forEach((run, reason) -> {
      if (knownHeld.add(run)) {
        queue.recordHeld(run, reason);
      }
    });
  }

  private Duration until(Instant at) {
    Duration wait = Duration.between(context.clock().instant(), at);
    return wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait.isNegative() ? Duration.ZERO : wait;
  }

  private void supervise(RunId id) {
    Supervisor supervisor = new Supervisor(id, context, this::wakeQueue);
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
                supervisor.mailbox().close();
                wakeQueue();
              }
            });
    threads.put(id, thread);
    thread.start();
  }
}
