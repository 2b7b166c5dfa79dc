package dev.midcourse.engine;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressGate;
import java.time.Instant;
import java.util.Optional;

/**
 * What is kept of an agent's progress: as often as the gate lets it, and what came last in any
 * case, also when nothing more comes.
 */
final class ProgressRow {
  private final Desk desk;
  private final ProgressGate gate;

  /** The newest that had to wait. */
  private Optional<Progress> waiting = Optional.empty();

  ProgressRow(Desk desk, ProgressGate gate) {
    this.desk = desk;
    this.gate = gate;
  }

  void take(Progress next) {
    Optional<Progress> kept = desk.run().progress();
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
    return waiting.flatMap(_ -> desk.run().progress()).map(gate::opensAfter);
  }

  private void keep(Progress next) {
    waiting = Optional.empty();
    desk.change(new RunChange.Progressed(desk.number(), next, next.at()));
    desk.note(
        new RunEvent.Progressed(
            desk.number(), next.phase(), next.summary(), next.tool(), next.seq()));
  }
}
