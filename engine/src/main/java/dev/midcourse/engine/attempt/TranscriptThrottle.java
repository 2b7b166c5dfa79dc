package dev.midcourse.engine.attempt;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.watch.OutputQuota;
import java.time.Duration;
import java.time.Instant;

/**
 * Appends the output of an agent to the log, within a quota. Output beyond the quota is omitted for
 * five seconds at a time, and the log says how much was omitted.
 */
public final class TranscriptThrottle {
  /** How long output is omitted, so that the parts in the log are coherent. */
  private static final Duration GAP_DURATION = Duration.ofSeconds(5);

  private final AttemptUnitOfWork unitOfWork;
  private OutputQuota quota;
  private Instant gapFrom = Instant.MIN;
  private boolean announced;
  private long messages;
  private long characters;

  public TranscriptThrottle(AttemptUnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
    this.quota = OutputQuota.full(unitOfWork.now());
  }

  /** Appends the event, or counts it as omitted. */
  public void append(RunEvent event, int length, Instant now) {
    quota = quota.at(now);
    if (inGap(now) || !quota.covers(length)) {
      omit(length, now);
      return;
    }
    appendOmitted();
    quota = quota.less(length);
    unitOfWork.append(event);
  }

  /** A clock that goes back does not make the gap longer. */
  private boolean inGap(Instant now) {
    return messages > 0 && Duration.between(gapFrom, now).abs().compareTo(GAP_DURATION) < 0;
  }

  private void omit(int length, Instant now) {
    if (messages == 0) {
      gapFrom = now;
    }
    if (!announced) {
      announced = true;
      unitOfWork.append(
          new RunEvent.Noted("too much output of the agent: most of it is omitted from here on"));
    }
    messages++;
    characters += length;
  }

  private void appendOmitted() {
    if (messages > 0) {
      unitOfWork.append(
          new RunEvent.Noted(
              "omitted: %d messages with %d characters".formatted(messages, characters)));
      messages = 0;
      characters = 0;
    }
  }

  /** At the end of a turn or of the agent: appends the count of omitted output. */
  public void flush() {
    appendOmitted();
    announced = false;
  }
}
