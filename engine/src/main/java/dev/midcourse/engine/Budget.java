package dev.midcourse.engine;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Limits.Reached;
import dev.midcourse.core.run.Run;
import java.time.Instant;
import java.util.Optional;

/** Holds a run to what its agent may take; only what was reported is counted. */
final class Budget {
  private final Desk desk;
  private final EngineSettings settings;

  Budget(Desk desk, EngineSettings settings) {
    this.desk = desk;
    this.settings = settings;
  }

  /** The limit that the run has come to, with whose it is and how far the run went. */
  Optional<Reached> reached() {
    Run run = desk.run();
    AgentName agent = run.spec().agent();
    return limits()
        .reached(run.spent(), startedAt(), desk.now())
        .map(it -> new Reached(it.limit(), "limit of agent " + agent + ": it " + it.reason()));
  }

  /** When its time is over. */
  Optional<Instant> endsAt() {
    return limits().endsAt(startedAt());
  }

  private Limits limits() {
    return settings.bounds(desk.run().spec().agent()).limits();
  }

  private Instant startedAt() {
    return desk.run().startedAt().orElse(desk.attempt().startedAt());
  }
}
