package dev.midcourse.engine.supervise;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.watch.OutputQuota;
import java.time.Duration;
import java.time.Instant;

/**
 * What is kept of an agent's words: all of them, unless it says more than anybody could read. Then
 * a part is kept now and then, and the log says how much was left out before it.
 */
final class TranscriptThrottle {
  /** What is left out is left out for so long, so that what is kept hangs together. */
  private static final Duration GAP = Duration.ofSeconds(5);

  private final AttemptUnitOfWork unitOfWork;
  private OutputQuota quota;
  private Instant gapFrom = Instant.MIN;
  private boolean announced;
  private long messages;
  private long characters;

  TranscriptThrottle(AttemptUnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
    this.quota = OutputQuota.full(unitOfWork.now());
  }

  /** Keeps the event, which has so many characters, or counts it. */
  void append(RunEvent event, int length, Instant now) {
    quota = quota.at(now);
    if (inGap(now) || !quota.covers(length)) {
      omit(length, now);
      return;
    }
    appendOmitted();
    quota = quota.less(length);
    unitOfWork.append(event);
  }

  /** A clock that went back must not make the gap any longer. */
  private boolean inGap(Instant now) {
    return messages > 0 && Duration.between(gapFrom, now).abs().compareTo(GAP) < 0;
  }

  private void omit(int length, Instant now) {
    if (messages == 0) {
      gapFrom = now;
    }
    if (!announced) {
      announced = true;
      unitOfWork.append(
          new RunEvent.Noted("the agent says too much: from here on most of it is left out"));
    }
    messages++;
    characters += length;
  }

  private void appendOmitted() {
    if (messages > 0) {
      unitOfWork.append(
          new RunEvent.Noted(
              "left out: %d messages with %d characters".formatted(messages, characters)));
      messages = 0;
      characters = 0;
    }
  }

  /** The turn or the agent is at its end: nothing is left untold. */
  void flush() {
    appendOmitted();
    announced = false;
  }
}
