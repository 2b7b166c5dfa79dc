package dev.midcourse.hub.http;

import dev.midcourse.core.authority.Caller;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.LongSupplier;

/**
 * Limits the rate of requests: one limit for main, one for all unauthenticated callers together,
 * and one for each agent. So a flood of one caller does not slow another.
 */
final class RateLimiters {
  /** The maximum of remembered agents; the one that was silent longest is forgotten. */
  static final int MAX_AGENTS = 4_096;

  private static final int PER_SECOND = 50;

  /** The burst of an agent, and of all unauthenticated callers together. */
  static final int BURST = 200;

  private final LongSupplier nanos;
  private final RateLimiter main;
  private final RateLimiter strangers;

  /** Guarded by itself; the agent with the oldest request comes first. */
  private final SequencedMap<Caller, RateLimiter> agents = new LinkedHashMap<>(16, 0.75f, true);

  RateLimiters(LongSupplier nanos) {
    this.nanos = nanos;
    this.main = new RateLimiter(5_000, 10_000, nanos.getAsLong());
    this.strangers = newDefault();
  }

  boolean tryAcquire(Caller caller) {
    RateLimiter bound =
        switch (caller) {
          case Caller.Main _ -> main;
          case Caller.Unauthenticated _ -> strangers;
          case Caller.Worker _, Caller.Member _, Caller.Person _ -> of(caller);
        };
    return bound.tryAcquire(nanos.getAsLong());
  }

  private RateLimiter of(Caller agent) {
    synchronized (agents) {
      RateLimiter bound = agents.computeIfAbsent(agent, _ -> newDefault());
      if (agents.size() > MAX_AGENTS) {
        agents.pollFirstEntry();
      }
      return bound;
    }
  }

  /** Returns the number of remembered agents. */
  int agents() {
    synchronized (agents) {
      return agents.size();
    }
  }

  private RateLimiter newDefault() {
    return new RateLimiter(PER_SECOND, BURST, nanos.getAsLong());
  }
}
