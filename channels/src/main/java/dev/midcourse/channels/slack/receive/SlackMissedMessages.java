package dev.midcourse.channels.slack.receive;

import dev.midcourse.channels.connection.RetryLaterException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches missed messages beside the session of a connection. They get a head start before newer
 * ones; it is short, because Slack waits three seconds for an acknowledgement.
 */
public final class SlackMissedMessages implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SlackMissedMessages.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_RETRY_DELAY = Duration.ofMinutes(5);
  private static final Duration HEAD_START = Duration.ofSeconds(2);

  private final SlackCatchUp catchUp;
  private final SlackPosition position;
  private final InstantSource clock;
  private Optional<FutureTask<Boolean>> task = Optional.empty();
  private boolean complete;

  public SlackMissedMessages(SlackCatchUp catchUp, SlackPosition position, InstantSource clock) {
    this.catchUp = catchUp;
    this.position = position;
    this.clock = clock;
  }

  public void start() throws Exception {
    Instant now = clock.instant();
    Instant from = position.begin(now);
    position.hold();
    FutureTask<Boolean> fetching =
        new FutureTask<>(() -> {
          fetch(from, now);
          return true;
        });
    task = Optional.of(fetching);
    Thread.ofVirtual().name("slack-missed-messages").start(fetching);
    try {
      fetching.get(HEAD_START.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException goesOn) {
      return;
    } catch (ExecutionException failed) {
      // Told by check().
    }
    check();
  }

  /** Tries again until Slack answers; newer messages are received meanwhile. */
  private void fetch(Instant from, Instant now) throws Exception {
    Duration delay = RETRY_DELAY;
    while (true) {
      try {
        catchUp.run(from, now);
        return;
      } catch (IOException | RetryLaterException e) {
        LOG.log(
            Level.WARNING,
            "Missed messages of Slack could not be fetched ({0}); the next try is in {1} s.",
            String.valueOf(e.getMessage()),
            delay.toSeconds());
        Thread.sleep(delay);
        delay = delay.compareTo(MAX_RETRY_DELAY) < 0 ? delay.multipliedBy(2) : delay;
      }
    }
  }

  /** Throws the failure of the store or the token, if the fetch met one. */
  public void check() throws Exception {
    if (complete || task.isEmpty() || !task.get().isDone()) {
      return;
    }
    try {
      complete = task.get().get();
      position.release(true);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  @Override
  public void close() {
    task.ifPresent(running -> running.cancel(true));
    if (!complete) {
      position.release(false);
    }
  }
}
