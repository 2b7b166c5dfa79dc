package dev.midcourse.hub.redis;

import dev.midcourse.ledger.RetryDelay;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the lists of steering entries on a thread of its own. The server notifies it of new
 * entries. After each start and each loss of the connection it scans all lists, so none is missed.
 * A server that cannot notify is scanned every five seconds, and at once when a program pushes the
 * name of its session to {@code steering:wake}. While Redis is down or slow, only this thread
 * waits.
 */
final class ListConsumer implements RedisLink.Listener, AutoCloseable {
  private static final Logger LOG = System.getLogger(ListConsumer.class.getName());
  private static final Duration SCAN_INTERVAL = Duration.ofSeconds(5);
  private static final Duration WAKE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(250);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);

  private final RedisLink link;
  private final EntryIntake intake;
  private final DueSessions due = new DueSessions();
  private final Thread reader = thread("redis-lists", this::read);
  private final Thread waker = thread("redis-wake", this::awaitWakes);
  private volatile boolean closed;

  /** Whether the server gives notifications; used by the reader. */
  private Optional<Boolean> notified = Optional.empty();

  ListConsumer(RedisLink link, EntryIntake intake) {
    this.link = link;
    this.intake = intake;
  }

  private static Thread thread(String name, Runnable work) {
    return Thread.ofPlatform().name("midcourse-" + name).daemon().unstarted(work);
  }

  void start() {
    reader.start();
  }

  /** Reads the lists of this session again: a steer or the run of it has ended. */
  void readAgain(SessionName session) {
    due.add(session);
  }

  @Override
  public void changed(String key) {
    SessionName.ofKey(key).ifPresent(due::add);
  }

  @Override
  public void subscribed() {
    due.addScan();
  }

  private void read() {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            RETRY_INTERVAL,
            "Reading steers from Redis",
            "Steers that were pushed there are late, none is lost.");
    while (!closed) {
      DueSessions.Step step = new DueSessions.Step(true, List.of());
      try {
        step = due.await(notified.filter(it -> !it).map(_ -> SCAN_INTERVAL));
        work(step);
        retry.succeeded();
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException e) {
        due.putBack(step);
        if (closed || !retry.sleepAfter(e)) {
          return;
        }
      }
    }
  }

  private void work(DueSessions.Step step) {
    List<SessionName> sessions = new ArrayList<>(step.sessions());
    if (step.scan()) {
      prepare();
      link.scan(key ->
          SessionName.ofKey(key).filter(it -> !sessions.contains(it)).ifPresent(sessions::add));
    }
    for (SessionName session : sessions) {
      if (intake.takeBatch(session)) {
        due.add(session);
      }
    }
  }

  /** Subscribes before the scan, so that every entry is found by one of them. */
  private void prepare() {
    boolean now = link.enableNotifications();
    if (!notified.equals(Optional.of(now))) {
      notified = Optional.of(now);
      if (!now) {
        LOG.log(
            Level.WARNING,
            "Redis does not allow the hub to set notify-keyspace-events. Its lists are scanned every"
                + " {0} s. Set notify-keyspace-events to Kl there, or push the session to {1} too.",
            SCAN_INTERVAL.toSeconds(),
            SessionName.WAKE_KEY);
      }
    }
    link.subscribe(this);
    if (!now && waker.getState() == Thread.State.NEW) {
      waker.start();
    }
  }

  private void awaitWakes() {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            RETRY_INTERVAL,
            "Waiting for " + SessionName.WAKE_KEY,
            "The lists in Redis are scanned every " + SCAN_INTERVAL.toSeconds() + " s.");
    while (!closed) {
      try {
        link.awaitWake(WAKE_TIMEOUT).map(SessionName::new).ifPresent(due::add);
        retry.succeeded();
      } catch (RuntimeException e) {
        if (closed || !retry.sleepAfter(e)) {
          return;
        }
      }
    }
  }

  /** Waits for the batch that is being stored. No entry is taken afterwards. */
  @Override
  public void close() {
    closed = true;
    waker.interrupt();
    reader.interrupt();
    try {
      if (reader.getState() != Thread.State.NEW && !reader.join(CLOSE_TIMEOUT)) {
        LOG.log(Level.DEBUG, "The reader of lists in Redis still waits for the server.");
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
