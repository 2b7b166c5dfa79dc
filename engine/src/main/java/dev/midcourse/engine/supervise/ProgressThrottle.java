package dev.midcourse.engine.supervise;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressPolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * What is kept of an agent's progress: as often as the gate lets it, and what came last in any
 * case, also when nothing more comes.
 */
final class ProgressThrottle {
  private final AttemptUnitOfWork unitOfWork;
  private final ProgressPolicy gate;

  /** The newest that had to wait. */
  private Optional<Progress> waiting = Optional.empty();

  ProgressThrottle(AttemptUnitOfWork unitOfWork, ProgressPolicy gate) {
    this.unitOfWork = unitOfWork;
    this.gate = gate;
  }

  void take(Progress next) {
    Optional<Progress> kept = unitOfWork.run().progress();
    if (gate.lets(kept, next)) {
      keep(next);
    } else {
      waiting = kept.filter(next::saysTheSameAs).isPresent() ? Optional.empty() : Optional.of(next);
    }
  }

  /** Keeps what waits, if its time has come. */
  void keepWhatIsDue(Instant now) {
    waiting.ifPresent(next -> take(next.at(now)));
  }

  /** When there is something to keep although nothing happened. */
  Optional<Instant> dueAt() {
    return waiting.flatMap(_ -> unitOfWork.run().progress()).map(gate::opensAfter);
  }

  private void keep(Progress next) {
    waiting = Optional.empty();
    unitOfWork.change(new RunChange.Progressed(unitOfWork.attemptNumber(), next, next.at()));
    unitOfWork.append(
        new RunEvent.Progressed(
            unitOfWork.attemptNumber(), next.phase(), next.summary(), next.tool(), next.seq()));
  }
}
