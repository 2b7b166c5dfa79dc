package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A read barrier: sends a request and waits for its reply, which proves that the agent has
 * processed all earlier input and that its output up to there was read. The request is sent again
 * every 100 ms while the input of the agent is full.
 */
final class ReadBarrier {
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  private final String occasion;
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final Agent agent;
  private Optional<String> sentName = Optional.empty();
  private Optional<Instant> resendAt = Optional.empty();

  ReadBarrier(String occasion, AttemptContext context) {
    this.occasion = occasion;
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.agent = context.agent();
  }

  /** Sends the request. Has no effect for an agent that does not support barriers. */
  void send() {
    sentName = Optional.of(occasion + "-" + unitOfWork.now().toEpochMilli());
    write();
  }

  boolean isSent() {
    return sentName.isPresent();
  }

  boolean isOutstanding() {
    if (resendAt.isPresent() && !unitOfWork.now().isBefore(resendAt.get())) {
      write();
    }
    return sentName.filter(name -> !state.hasPassed(name)).isPresent();
  }

  void reset() {
    sentName = Optional.empty();
    resendAt = Optional.empty();
  }

  Optional<Instant> resendAt() {
    return resendAt;
  }

  private void write() {
    switch (agent.barrier(sentName.orElseThrow())) {
      case WRITTEN, EXITED -> resendAt = Optional.empty();
      case INPUT_FULL -> resendAt = Optional.of(unitOfWork.now().plus(RETRY_DELAY));
      case UNSUPPORTED -> reset();
    }
  }
}
