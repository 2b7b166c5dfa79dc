package dev.midcourse.ledger;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * The delay between the failed tries of one loop. The first failure of a row and the recovery from
 * it are logged; further failures of the row are logged for debugging only. For one thread.
 */
public final class RetryDelay {
  private final Logger log;
  private final Duration delay;
  private final String task;
  private final String consequence;
  private int failures;

  /**
   * @param task the task that may fail, as the subject of a sentence: "Reading the queue"
   * @param consequence a sentence that says what is late or missing meanwhile
   */
  public RetryDelay(Logger log, Duration delay, String task, String consequence) {
    this.log = log;
    this.delay = delay;
    this.task = task;
    this.consequence = consequence;
  }

  /** Logs the failure and sleeps; false if the thread was interrupted and should end. */
  public boolean sleepAfter(Exception failure) {
    failures++;
    String reason = String.valueOf(failure.getMessage());
    if (failures == 1) {
      log.log(
          Level.WARNING,
          "{0} failed ({1}); retrying every {2} ms. {3}",
          task,
          reason,
          Long.toString(delay.toMillis()),
          consequence);
    } else {
      log.log(Level.DEBUG, "{0} failed again ({1})", task, reason);
    }
    return sleep(delay);
  }

  /** The last try succeeded: the next failure is the first of a row. */
  public void succeeded() {
    if (failures > 0) {
      log.log(Level.INFO, "{0} works again after {1} failures.", task, failures);
      failures = 0;
    }
  }

  /** Sleeps; false if the thread was interrupted, and then its interrupt flag is set. */
  public static boolean sleep(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
