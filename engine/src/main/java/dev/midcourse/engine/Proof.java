package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The proof that an agent has read everything that was written to it, and that all it had to say to
 * that was heard. It is asked for again where the agent did not read.
 */
final class Proof {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final String occasion;
  private final Desk desk;
  private final Hearing hearing;
  private final Agent agent;
  private Optional<String> asked = Optional.empty();
  private Optional<Instant> askAgainAt = Optional.empty();

  Proof(String occasion, Desk desk, Hearing hearing, Agent agent) {
    this.occasion = occasion;
    this.desk = desk;
    this.hearing = hearing;
    this.agent = agent;
  }

  /** Without effect where the agent cannot prove it. */
  void ask() {
    asked = Optional.of(occasion + "-" + desk.now().toEpochMilli());
    write();
  }

  boolean asked() {
    return asked.isPresent();
  }

  boolean outstanding() {
    if (askAgainAt.isPresent() && !desk.now().isBefore(askAgainAt.get())) {
      write();
    }
    return asked.filter(name -> !hearing.passed(name)).isPresent();
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
      case WRITTEN, GONE -> askAgainAt = Optional.empty();
      case CLOGGED -> askAgainAt = Optional.of(desk.now().plus(PAUSE));
      case UNSUPPORTED -> forget();
    }
  }
}
