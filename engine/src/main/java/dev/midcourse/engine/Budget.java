package dev.midcourse.engine;

import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Limits.Reached;
import dev.midcourse.core.run.RunSpec;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Holds a run to what its agent and its worker may take; only what was reported is counted. */
final class Budget {
  private final Desk desk;
  private final EngineSettings settings;

  Budget(Desk desk, EngineSettings settings) {
    this.desk = desk;
    this.settings = settings;
  }

  /** The limit that the run has come to, with whose it is and how far the run went. */
  Optional<Reached> reached() {
    RunSpec spec = desk.run().spec();
    return reached(agents(), "agent " + spec.agent())
        .or(() -> reached(workers(), "worker " + spec.worker()));
  }

  private Optional<Reached> reached(Limits limits, String whose) {
    return limits
        .reached(desk.run().spent(), startedAt(), desk.now())
        .map(it -> new Reached(it.limit(), "limit of " + whose + ": it " + it.reason()));
  }

  /** When its time is over. */
  Optional<Instant> endsAt() {
    return Stream.of(agents(), workers())
        .flatMap(limits -> limits.endsAt(startedAt()).stream())
        .min(Instant::compareTo);
  }

  private Limits agents() {
    return settings.bounds(desk.run().spec().agent()).limits();
  }

  private Limits workers() {
    return settings.limits(desk.run().spec().worker());
  }

  private Instant startedAt() {
    return desk.run().startedAt().orElse(desk.attempt().startedAt());
  }
}
