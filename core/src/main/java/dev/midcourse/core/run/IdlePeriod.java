package dev.midcourse.core.run;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which a running run has no turn and its agent waits for the next message.
 *
 * @param since the end of the last turn
 * @param until when the run ends if no message comes
 */
public record IdlePeriod(Instant since, Instant until) {

  /** The period after a turn that ended at this time. */
  public static IdlePeriod after(Instant turnEnd, Duration linger) {
    return new IdlePeriod(turnEnd, turnEnd.plus(linger));
  }

  public boolean isOver(Instant now) {
    return !now.isBefore(until);
  }

  /** The length of the period if it ends now. A clock that went back makes it no shorter than 0. */
  public Duration lengthAt(Instant now) {
    return now.isBefore(since) ? Duration.ZERO : Duration.between(since, now);
  }
}
