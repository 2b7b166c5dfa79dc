package dev.midcourse.channels.connection;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.ledger.StoreLock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps a channel connected. Runs the session of the channel in a thread of its own, again after
 * each failure with growing delays, and only while this process holds the lock of the token.
 */
public final class ReceiveLoop implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ReceiveLoop.class.getName());
  private static final Duration MIN_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofMinutes(5);
  private static final Duration LOCK_INTERVAL = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final ChannelName channel;
  private final InstantSource clock;
  private final PollerLocks locks;
  private final String lockName;
  private volatile ChannelStatus status = new ChannelStatus.Starting();
  private volatile boolean closed;

  /** Held while the end of the loop is reported. */
  private final Object stopping = new Object();

  private volatile Optional<Thread> thread = Optional.empty();
  private int failures; // only the thread of the loop uses it

  /**
   * @param lockName names the token without containing it
   */
  public ReceiveLoop(ChannelName channel, InstantSource clock, PollerLocks locks, String lockName) {
    this.channel = channel;
    this.clock = clock;
    this.locks = locks;
    this.lockName = lockName;
  }

  /** One connection to the platform. */
  public interface Session {
    /**
     * Connects and receives. Returns if the connection should be opened anew at once; throws after
     * a failure. Ends soon after its thread is interrupted.
     *
     * @param connection is told when the connection is open
     */
    void run(Connection connection) throws Exception;
  }

  /** What a session tells its loop, and asks it. */
  public interface Connection {
    /** The platform accepted the connection: failures before no longer count. */
    void opened();

    /** False when the session must end: the loop was closed, or the lock of the token was lost. */
    boolean isWanted();
  }

  /**
   * Starts to receive; called once.
   *
   * @param listener gets a notice if the loop ends because of a permanent failure
   */
  public void start(Session session, ChannelListener listener) {
    thread =
        Optional.of(
            Thread.ofVirtual().name("channel-" + channel).start(() -> run(session, listener)));
  }

  /** The state of the connection. When it says that the channel has stopped, this was reported. */
  public ChannelStatus status() {
    synchronized (stopping) {
      return status;
    }
  }

  private void run(Session session, ChannelListener listener) {
    while (!closed) {
      Optional<StoreLock> lock = takeLock();
      if (lock.isEmpty()) {
        status =
            new ChannelStatus.Standby(
                "another process receives with the same token; this one takes over when it ends");
        if (!sleep(LOCK_INTERVAL)) {
          return;
        }
        continue;
      }
      try (StoreLock held = lock.get()) {
        if (!runWhileHeld(held, session, listener)) {
          return;
        }
      }
    }
  }

  private Optional<StoreLock> takeLock() {
    try {
      return locks.tryLock(lockName);
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The channel {0} could not ask for the lock of its token ({1}); it asks again.",
          channel,
          String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /** Runs sessions until the lock is lost; false if the loop should end. */
  private boolean runWhileHeld(StoreLock lock, Session session, ChannelListener listener) {
    while (!closed && lock.isHeld()) {
      try {
        session.run(connection(lock));
      } catch (InterruptedException e) {
        if (closed) {
          return false;
        }
      } catch (PermanentFailureException e) {
        stop(e, listener);
        return false;
      } catch (Exception e) {
        if (closed || !sleepAfter(e)) {
          return false;
        }
      }
    }
    return !closed;
  }

  private Connection connection(StoreLock lock) {
    return new Connection() {
      @Override
      public void opened() {
        if (failures > 0) {
          LOG.log(
              Level.INFO,
              "The channel {0} is connected again after {1} failures.",
              channel,
              failures);
        }
        failures = 0;
        if (!(status instanceof ChannelStatus.Connected)) {
          status = new ChannelStatus.Connected(clock.instant());
        }
      }

      @Override
      public boolean isWanted() {
        return !closed && lock.isHeld() && !Thread.currentThread().isInterrupted();
      }
    };
  }

  private void stop(PermanentFailureException e, ChannelListener listener) {
    LOG.log(
        Level.ERROR,
        "The channel {0} has stopped: {1}. {2}",
        channel,
        String.valueOf(e.getMessage()),
        e.remedy());
    synchronized (stopping) {
      status = new ChannelStatus.Stopped(String.valueOf(e.getMessage()), e.remedy());
      try {
        listener.notice(
            channel, new ChannelNotice.Stopped(String.valueOf(e.getMessage()), e.remedy()));
      } catch (RuntimeException notStored) {
        LOG.log(
            Level.WARNING,
            "That the channel " + channel + " has stopped could not be stored.",
            notStored);
      }
    }
  }

  private boolean sleepAfter(Exception failure) {
    failures++;
    String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Instant since =
        status instanceof ChannelStatus.Retrying(Instant first, var _) ? first : clock.instant();
    status = new ChannelStatus.Retrying(since, reason);
    Duration delay =
        failure instanceof RetryLaterException later ? later.delay() : delayAfter(failures);
    LOG.log(
        failures == 1 ? Level.WARNING : Level.DEBUG,
        "The connection of the channel {0} failed ({1}); the next try is in {2} ms. Nothing is lost.",
        channel,
        reason,
        Long.toString(delay.toMillis()));
    return sleep(delay);
  }

  /** Doubles with each failure, with a random part so that several hubs do not come together. */
  private static Duration delayAfter(int failures) {
    long doubled = MIN_DELAY.toMillis() << Math.min(failures - 1, 20);
    long bounded = Math.min(doubled, MAX_DELAY.toMillis());
    return Duration.ofMillis(bounded / 2 + ThreadLocalRandom.current().nextLong(bounded / 2 + 1));
  }

  private boolean sleep(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      return !closed;
    }
  }

  /** Ends the session and waits for it, at most some seconds. */
  @Override
  public void close() {
    closed = true;
    thread.ifPresent(running -> {
      running.interrupt();
      try {
        if (!running.join(CLOSE_TIMEOUT)) {
          LOG.log(Level.WARNING, "The session of the channel {0} does not end.", channel);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }
}
