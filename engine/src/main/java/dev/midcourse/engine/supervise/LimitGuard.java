package dev.midcourse.engine.supervise;

import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Limits.Reached;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.context.EngineSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Compares a run with the limits of its agent and of its worker. Counts reported usage and the time
 * in which the run was not idle. An idle run reaches no limit.
 */
final class LimitGuard {
  private record Share(String whose, Limits limits) {}

  private final AttemptUnitOfWork unitOfWork;
  private final List<Share> shares;

  LimitGuard(AttemptContext context) {
    this.unitOfWork = context.unitOfWork();
    EngineSettings settings = context.settings();
    RunSpec spec = unitOfWork.run().spec();
    this.shares =
        List.of(
            new Share("agent " + spec.agent(), settings.bounds(spec.agent()).limits()),
            new Share("worker " + spec.worker(), settings.limits(spec.worker())));
  }

  /** The first limit that the run has reached, and the reason for its log. */
  Optional<Reached> reachedLimit() {
    if (unitOfWork.run().idle().isPresent()) {
      return Optional.empty();
    }
    for (Share share : shares) {
      Optional<Reached> it =
          share.limits().reached(unitOfWork.run().spent(), startedAt(), unitOfWork.now());
      if (it.isPresent()) {
        String reason = "limit of " + share.whose() + ": it " + it.get().reason();
        return Optional.of(new Reached(it.get().limit(), reason));
      }
    }
    return Optional.empty();
  }

  /** When the run reaches a limit of time. */
  Optional<Instant> endsAt() {
    if (unitOfWork.run().idle().isPresent()) {
      return Optional.empty();
    }
    return shares.stream()
        .flatMap(share -> share.limits().endsAt(startedAt()).stream())
        .min(Instant::compareTo);
  }

  /** The start of the run, moved by its idle times. */
  private Instant startedAt() {
    Run run = unitOfWork.run();
    return run.startedAt().orElse(unitOfWork.attempt().startedAt()).plus(run.idled());
  }
}
