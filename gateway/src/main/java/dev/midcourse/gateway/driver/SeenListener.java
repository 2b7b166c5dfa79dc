package dev.midcourse.gateway.driver;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.gateway.record.RequestRecord;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts the evidence of the gateway between the events of the agent. Before the end of a turn it
 * waits a bounded time for the records of requests that have begun, because the end of a turn ends
 * the steers in it.
 */
final class SeenListener implements AgentListener, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SeenListener.class.getName());

  /** How long the end of a turn waits for records by default. */
  static final Duration MAX_WAIT = Duration.ofMillis(500);

  private final AgentListener next;
  private final Path records;
  private final Runnable onExit;
  private final Duration maxWait;
  private final Semaphore changes = new Semaphore(0);

  /** Guards the fields below and the order of the events. */
  private final ReentrantLock lock = new ReentrantLock();

  private final RequestFollower follower;
  private final SeenEvidence evidence = new SeenEvidence();
  private OutputCheckpoint last;
  private boolean exited;

  private volatile boolean closed;

  private SeenListener(
      AgentListener next, Path records, OutputCheckpoint last, Runnable onExit, Duration maxWait) {
    this.next = next;
    this.records = records;
    this.follower = new RequestFollower(records);
    this.last = last;
    this.onExit = onExit;
    this.maxWait = maxWait;
  }

  /**
   * Starts to follow the records.
   *
   * @param onExit called once the agent has exited
   * @param maxWait how long the end of a turn waits for the records of requests that have begun
   */
  static SeenListener start(
      AgentListener next, Path records, OutputCheckpoint from, Runnable onExit, Duration maxWait) {
    SeenListener listener = new SeenListener(next, records, from, onExit, maxWait);
    Thread.ofVirtual().name("gateway-evidence").start(listener::follow);
    return listener;
  }

  /** Tells that a file has changed. */
  void changed() {
    changes.release();
  }

  private void follow() {
    try {
      while (!closed) {
        changes.acquire();
        changes.drainPermits();
        lock.lock();
        try {
          if (!closed && !exited) {
            pass(readNew());
          }
        } finally {
          lock.unlock();
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onEvents(AgentEventBatch batch) {
    lock.lock();
    try {
      if (batch.events().stream().anyMatch(SeenListener::endsSteers)) {
        awaitRecords();
      }
      pass(readNew());
      List<AgentEvent> more = new ArrayList<>();
      for (AgentEvent event : batch.events()) {
        if (event instanceof AgentEvent.SteerInjected injected) {
          more.addAll(evidence.shown(injected.steer()));
        }
        exited |= event instanceof AgentEvent.Exited;
      }
      next.onEvents(batch);
      last = batch.upTo();
      if (exited) {
        onExit.run();
      } else {
        pass(more);
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean endsSteers(AgentEvent event) {
    return event instanceof AgentEvent.TurnEnded || event instanceof AgentEvent.Exited;
  }

  private void awaitRecords() {
    long deadline = System.nanoTime() + maxWait.toNanos();
    pass(readNew());
    try {
      while (follower.hasUnread() && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(2);
        pass(readNew());
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private List<AgentEvent> readNew() {
    List<AgentEvent> events = new ArrayList<>();
    try {
      for (RequestRecord request : follower.readNew()) {
        events.addAll(evidence.of(request));
      }
    } catch (IOException failure) {
      LOG.log(
          Level.WARNING,
          "The records {0} cannot be read ({1}); steers stay without the rung seen for now.",
          records,
          failure.getMessage());
    }
    return events;
  }

  private void pass(List<AgentEvent> events) {
    if (!events.isEmpty()) {
      next.onEvents(new AgentEventBatch(events, last));
    }
  }

  /** Stops to follow the records. */
  @Override
  public void close() {
    closed = true;
    changes.release();
  }
}
