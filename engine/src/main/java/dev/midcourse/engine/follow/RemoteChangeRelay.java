package dev.midcourse.engine.follow;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.ledger.Log;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Passes steers and stops that other hosts have stored to the supervisors of this host. It follows
 * the log of the shared ledger. Steers and stops of this host reach their supervisors directly.
 */
public final class RemoteChangeRelay implements AutoCloseable {
  private static final Logger LOG = System.getLogger(RemoteChangeRelay.class.getName());
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);
  private static final int PAGE = 256;

  private static final Log.Filter NEWS =
      Log.Filter.of(RunEvent.SteerStored.class, RunEvent.StopAsked.class);

  private final Log log;
  private final Function<RunId, Optional<SupervisorMailbox>> slots;
  private final Predicate<SteerId> broughtByADoor;
  private final Thread thread;
  private volatile boolean closed;
  private long cursor;

  public RemoteChangeRelay(
      Log log,
      Function<RunId, Optional<SupervisorMailbox>> slots,
      Predicate<SteerId> broughtByADoor) {
    this.log = log;
    this.slots = slots;
    this.broughtByADoor = broughtByADoor;
    this.cursor = log.newest();
    this.thread = Thread.ofVirtual().name("midcourse-post").unstarted(this::relay);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void relay() {
    while (!closed) {
      try {
        Log.Page page = log.await(cursor, NEWS, PAGE, MAX_WAIT);
        page.entries().forEach(this::deliver);
        cursor = page.next();
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException e) {
        if (closed || !pause(e)) {
          return;
        }
      }
    }
  }

  private static boolean pause(RuntimeException why) {
    LOG.log(
        Level.WARNING,
        "Reading the changes of other hosts failed ({0}); retrying in 1 s. Their steers and stops are late.",
        why.getMessage());
    try {
      Thread.sleep(Duration.ofSeconds(1));
      return true;
    } catch (InterruptedException end) {
      return false;
    }
  }

  private void deliver(Log.LogEntry entry) {
    Optional<SupervisorMailbox> slot = slots.apply(entry.run());
    if (slot.isEmpty()) {
      return;
    }
    RunEvent event = entry.event();
    if (event instanceof RunEvent.StopAsked) {
      slot.get().put(new SupervisorMessage.StopRequestedElsewhere());
    } else if (event instanceof RunEvent.SteerStored stored
        && !broughtByADoor.test(stored.steer())) {
      slot.get().put(new SupervisorMessage.SteerStoredElsewhere(stored.steer()));
    }
  }
}
