package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The proof that an agent has read everything that was written to it, and that all it had to say to
 * that was heard. It is asked for again where the agent did not read.
 */
final class ReadBarrier {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final String occasion;
  private final AttemptUnitOfWork unitOfWork;
  private final AgentEventHandler eventHandler;
  private final Agent agent;
  private Optional<String> asked = Optional.empty();
  private Optional<Instant> askAgainAt = Optional.empty();

  ReadBarrier(
      String occasion, AttemptUnitOfWork unitOfWork, AgentEventHandler eventHandler, Agent agent) {
    this.occasion = occasion;
    this.unitOfWork = unitOfWork;
    this.eventHandler = eventHandler;
    this.agent = agent;
  }

  /** Without effect where the agent cannot prove it. */
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
    return asked.filter(name -> !eventHandler.passed(name)).isPresent();
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
      case INPUT_FULL -> askAgainAt = Optional.of(unitOfWork.now().plus(PAUSE));
      case UNSUPPORTED -> forget();
    }
  }
}
