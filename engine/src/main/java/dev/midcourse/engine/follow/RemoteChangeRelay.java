package dev.midcourse.engine.follow;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.ledger.Log;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Passes steers and stops that other hosts have stored to the supervisors of this host. It follows
 * the log of the shared ledger. Steers and stops of this host reach their supervisors directly.
 */
public final class RemoteChangeRelay implements AutoCloseable {
  private static final Log.Filter NEWS =
      Log.Filter.of(RunEvent.SteerStored.class, RunEvent.StopAsked.class);

  private final Function<RunId, Optional<SupervisorMailbox>> mailboxes;
  private final Predicate<SteerId> submittedHere;
  private final LogFollower follower;

  public RemoteChangeRelay(
      Log log,
      Function<RunId, Optional<SupervisorMailbox>> mailboxes,
      Predicate<SteerId> submittedHere) {
    this.mailboxes = mailboxes;
    this.submittedHere = submittedHere;
    this.follower =
        new LogFollower("remote-changes", log, NEWS, news -> news.forEach(this::deliver));
  }

  public void start() {
    follower.start();
  }

  @Override
  public void close() {
    follower.close();
  }

  private void deliver(Log.LogEntry entry) {
    Optional<SupervisorMailbox> mailbox = mailboxes.apply(entry.run());
    if (mailbox.isEmpty()) {
      return;
    }
    RunEvent event = entry.event();
    if (event instanceof RunEvent.StopAsked) {
      mailbox.get().put(new SupervisorMessage.StopRequestedElsewhere());
    } else if (event instanceof RunEvent.SteerStored stored
        && !submittedHere.test(stored.steer())) {
      mailbox.get().put(new SupervisorMessage.SteerStoredElsewhere(stored.steer()));
    }
  }
}
