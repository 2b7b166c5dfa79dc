package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
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
  private Optional<String> asked = Optional.empty();
  private Optional<Instant> askAgainAt = Optional.empty();

  ReadBarrier(String occasion, AttemptContext context) {
    this.occasion = occasion;
    this.unitOfWork = context.work();
    this.state = context.state();
    this.agent = context.agent();
  }

  /** Sends the request. Has no effect for an agent that does not support barriers. */
  void ask() {
    asked = Optional.of(occasion + "-" + unitOfWork.now().toEpochMilli());
    write();
  }

  boolean asked() {
    return asked.isPresent();
  }

  boolean outstanding() {
    if (askAgainAt.isPresent() && !unitOfWork.now().isBefore(askAgainAt.get())) {
      write();
    }
    return asked.filter(name -> !state.hasPassed(name)).isPresent();
  }

  void forget() {
    asked = Optional.empty();
    askAgainAt = Optional.empty();
  }

  Optional<Instant> askAgainAt() {
    return askAgainAt;
  }

  private void write() {
    switch (agent.barrier(asked.orElseThrow())) {
      case WRITTEN, EXITED -> askAgainAt = Optional.empty();
      case INPUT_FULL -> askAgainAt = Optional.of(unitOfWork.now().plus(RETRY_DELAY));
      case UNSUPPORTED -> forget();
    }
  }
}
