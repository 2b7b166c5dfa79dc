package dev.midcourse.hub.http;

import dev.midcourse.core.authority.Asker;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.LongSupplier;

/**
 * How fast each asker may ask: main, all strangers together, and each agent by itself. So whoever
 * floods meets the bound, and nobody else does.
 */
final class RateBounds {
  /** More agents than this do not ask at the same time; who was silent longest begins anew. */
  static final int MOST_AGENTS = 4_096;

  private static final int PER_SECOND = 50;

  /** How many an agent, or the strangers, may ask at once. */
  static final int BURST = 200;

  private final LongSupplier nanos;
  private final RateBound main;
  private final RateBound strangers;

  /** Guarded by itself; the longest silent first. */
  private final SequencedMap<Asker, RateBound> agents = new LinkedHashMap<>(16, 0.75f, true);

  RateBounds(LongSupplier nanos) {
    this.nanos = nanos;
    this.main = new RateBound(5_000, 10_000, nanos.getAsLong());
    this.strangers = usual();
  }

  boolean lets(Asker caller) {
    RateBound bound =
        switch (caller) {
          case Asker.Main _ -> main;
          case Asker.Stranger _ -> strangers;
          case Asker.Worker _, Asker.Member _ -> of(caller);
        };
    return bound.lets(nanos.getAsLong());
  }

  private RateBound of(Asker agent) {
    synchronized (agents) {
      RateBound bound = agents.computeIfAbsent(agent, _ -> usual());
      if (agents.size() > MOST_AGENTS) {
        agents.pollFirstEntry();
      }
      return bound;
    }
  }

  /** Of how many agents something is kept. */
  int agents() {
    synchronized (agents) {
      return agents.size();
    }
  }

  private RateBound usual() {
    return new RateBound(PER_SECOND, BURST, nanos.getAsLong());
  }
}
