package dev.midcourse.channels.connection;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.ledger.RetryDelay;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Gives updates to the listener of a channel whose platform may not give an update twice: each
 * again until it is stored. An update that is refused for good is left out, so that it holds up no
 * other.
 */
public final class UpdateDelivery {
  private static final Logger LOG = System.getLogger(UpdateDelivery.class.getName());
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

  private final ChannelName channel;

  public UpdateDelivery(ChannelName channel) {
    this.channel = channel;
  }

  /**
   * Runs the task that gives one update to the listener, again while it fails.
   *
   * @throws InterruptedException if the channel is closed meanwhile
   */
  public void deliver(Runnable task) throws InterruptedException {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            RETRY_INTERVAL,
            "Storing an update of the channel " + channel,
            "It is kept, and later ones wait behind it.");
    while (true) {
      try {
        task.run();
        return;
      } catch (RefusedException e) {
        if (e.problem().code() != Code.UNAVAILABLE) {
          LOG.log(
              Level.WARNING,
              "An update of the channel {0} is left out: {1}",
              channel,
              e.description());
          return;
        }
        sleep(retry, e);
      } catch (RuntimeException e) {
        sleep(retry, e);
      }
    }
  }

  private static void sleep(RetryDelay retry, RuntimeException failure)
      throws InterruptedException {
    if (!retry.sleepAfter(failure)) {
      throw new InterruptedException("the channel is closed");
    }
  }
}
