package dev.midcourse.engine;

import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Limits.Reached;
import dev.midcourse.core.run.RunSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Holds a run to what its agent and its worker may take; only what was reported is counted. */
final class Budget {
  private record Share(String whose, Limits limits) {}

  private final Desk desk;
  private final List<Share> shares;

  Budget(Desk desk, EngineSettings settings) {
    this.desk = desk;
    RunSpec spec = desk.run().spec();
    this.shares =
        List.of(
            new Share("agent " + spec.agent(), settings.bounds(spec.agent()).limits()),
            new Share("worker " + spec.worker(), settings.limits(spec.worker())));
  }

  /** The limit that the run has come to, with whose it is and how far the run went. */
  Optional<Reached> reached() {
    for (Share share : shares) {
      Optional<Reached> it = share.limits().reached(desk.run().spent(), startedAt(), desk.now());
      if (it.isPresent()) {
        String reason = "limit of " + share.whose() + ": it " + it.get().reason();
        return Optional.of(new Reached(it.get().limit(), reason));
      }
    }
    return Optional.empty();
  }

  /** When its time is over. */
  Optional<Instant> endsAt() {
    return shares.stream()
        .flatMap(share -> share.limits().endsAt(startedAt()).stream())
        .min(Instant::compareTo);
  }

  private Instant startedAt() {
    return desk.run().startedAt().orElse(desk.attempt().startedAt());
  }
}
